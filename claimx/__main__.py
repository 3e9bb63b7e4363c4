"""`python -m claimx`."""

import sys

from claimx.cli import main

if __name__ == "__main__":
    sys.exit(main())
