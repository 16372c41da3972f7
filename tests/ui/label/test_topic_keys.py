from tsnmf_ui.label import topic_keys


def test_nine_topics_have_one_key_each():
    assert topic_keys.codes(9) == list("123456789")


def test_further_topics_have_two_keys():
    assert topic_keys.codes(11)[9:] == ["01", "02"]


def test_hundreds_of_topics_have_a_code_of_up_to_four_keys():
    codes = topic_keys.codes(439)
    assert codes[113:115] == ["=z", "001"]
    assert max(map(len, codes)) == 4


def test_codes_are_distinct_and_no_code_begins_another():
    codes = topic_keys.codes(1_374)
    assert len(set(codes)) == 1_374
    known = set(codes)
    assert not [code for code in codes for end in range(1, len(code)) if code[:end] in known]


def test_beyond_the_last_code_only_the_mouse_is_left():
    assert topic_keys.codes(1_376)[-3:] == ["===z", "", ""]
