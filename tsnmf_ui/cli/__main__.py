"""``python -m tsnmf_ui.cli`` does what ``tsnmf-studio`` does."""

import sys

from tsnmf_ui.cli.main import main

sys.exit(main())
