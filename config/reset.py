"""`make reset`: start over with an empty data folder."""

import shutil
import sys

from config.embedded.errors import ServiceError
from config.embedded.folder import DataFolder
from config.embedded.services import SITE


def main() -> int:
    folder = DataFolder(SITE)
    try:
        with folder.held():
            shutil.rmtree(folder.path)
    except ServiceError as error:
        print(error, file=sys.stderr)
        return 1
    print("The local database, files and mail are gone. make run starts afresh.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
