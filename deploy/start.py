"""Start the app in its container: all that is written goes below one folder, MIPS_STATE.

So the rest of the image may be read-only. Kernels compiled with the image are copied there, for
numba loads none from a folder that it cannot write.
"""

import os
import shutil
import sys
from pathlib import Path

KERNELS = Path(__file__).with_name("kernels")
PLACES = {  # variable: folder below MIPS_STATE
    "NUMBA_CACHE_DIR": "kernels",
    "MIPS_EXPLORER_CACHE": "cache",
    "TMPDIR": "temporary",
    "HOME": "home",
}


def copy_kernels(target: Path) -> None:
    """Those of this image; whatever was compiled by another one goes."""
    mark, image = target / "image", str((KERNELS / "image").read_text())
    if mark.is_file() and mark.read_text() == image:
        return
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(KERNELS, target)


def main() -> None:
    """Make the folders, then become the server."""
    state = Path(os.environ["MIPS_STATE"])
    for variable, name in PLACES.items():
        (state / name).mkdir(parents=True, exist_ok=True)
        os.environ[variable] = str(state / name)
    copy_kernels(state / "kernels")
    if (state / "data").is_dir():
        os.environ.setdefault("MIPS_DATA_DIR", str(state / "data"))
    command = str(Path(sys.executable).with_name("mips-explorer"))
    os.execv(command, [command, *sys.argv[1:]])


if __name__ == "__main__":
    main()
