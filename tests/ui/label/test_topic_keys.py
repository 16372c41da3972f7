from tsnmf_ui.label import topic_keys


def test_nine_topics_have_one_key_each():
    assert topic_keys.codes(9) == list("123456789")


def test_further_topics_have_two_keys():
    assert topic_keys.codes(11)[9:] == ["01", "02"]


def test_codes_are_distinct_and_no_code_begins_another():
    codes = topic_keys.codes(114)
    assert len(set(codes)) == 114
    assert not [(a, b) for a in codes for b in codes if a != b and b.startswith(a)]


def test_beyond_the_last_code_only_the_mouse_is_left():
    assert topic_keys.codes(116)[-2:] == ["", ""]
