# Sourced by the other scripts: makes the virtual environment and installs the package with the given extras.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
python=${PYTHON:-python3}

# quietly COMMAND...: shows what the command printed only when it fails.
quietly() {
  "$@" >.venv/install.log 2>&1 || {
    cat .venv/install.log >&2
    exit 2
  }
}

# ensure_venv EXTRAS [PACKAGES...]: (re)installs only when pyproject.toml or the request has changed.
ensure_venv() {
  local extras=$1
  shift
  "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || {
    echo "claimx needs Python 3.11 or newer; set PYTHON to one." >&2
    exit 2
  }
  [ -x .venv/bin/python ] || "$python" -m venv .venv
  local stamp want
  stamp=.venv/.claimx-installed
  want="$extras $* $(sha256sum pyproject.toml | cut -d' ' -f1)"
  if ! grep -qxF -- "$want" "$stamp" 2>/dev/null; then
    echo "Installing claimx${extras} into .venv ..." >&2
    quietly .venv/bin/python -m pip install --disable-pip-version-check --upgrade pip
    if [ $# -gt 0 ]; then
      quietly .venv/bin/python -m pip install --disable-pip-version-check "$@"
    fi
    quietly .venv/bin/python -m pip install --disable-pip-version-check --editable ".${extras}"
    echo "$want" >>"$stamp"
  fi
}
