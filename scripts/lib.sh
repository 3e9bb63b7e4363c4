# Sourced by the other scripts: makes the virtual environment and installs the package with the given extras.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
python=${PYTHON:-python3}

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
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --upgrade pip
    if [ $# -gt 0 ]; then
      .venv/bin/python -m pip install --quiet --disable-pip-version-check "$@"
    fi
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --editable ".${extras}"
    echo "$want" >>"$stamp"
  fi
}
