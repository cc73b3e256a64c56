"""Runs the README's Python example, with nothing installed but the package: readme_example.py README.md"""

import re
import sys
from pathlib import Path

text = Path(sys.argv[1]).read_text(encoding="utf-8")
blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
if not blocks:
    sys.exit("readme_example.py: the README has no example in Python")
for block in blocks:
    exec(compile(block, sys.argv[1], "exec"), {})
