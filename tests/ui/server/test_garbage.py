"""What is loaded once is not looked at whenever garbage is collected."""

from __future__ import annotations

import gc

from tsnmf_ui.server import garbage


def test_what_is_there_is_left_out_once_and_what_comes_later_is_not():
    before = gc.get_freeze_count()
    garbage.leave_out_modules.cache_clear()
    garbage.leave_out_modules()
    frozen = gc.get_freeze_count()
    try:
        assert frozen > before
        later = [[]]
        garbage.leave_out_modules()
        assert gc.get_freeze_count() <= frozen
        assert any(each is later for each in gc.get_objects())
    finally:
        gc.unfreeze()
        garbage.leave_out_modules.cache_clear()
