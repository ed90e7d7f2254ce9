"""Starting points for searches of the model, as runs; a step that is impossible at a table is skipped there."""

from __future__ import annotations

_FIRST_SLOT = "\n".join(
    [f"{seat} says entry good of {seat} in slot 1 of epoch 0" for seat in range(4)]
    + [f"{seat} tells {other} entry good of {seat} in slot 1 of epoch 0" for seat in range(4) for other in range(2)]
    + ["everybody hears everything"]
)
_CALLED = """
1 waits on slot 1
2 waits on slot 1
1 says ballot of 1 in round 1: without 0 on slot 1
2 says ballot of 2 in round 1: without 0 on slot 1
"""
_LEFT = """
0 says entry leave of 0 in slot 2 of epoch 0
0 tells 1 entry leave of 0 in slot 2 of epoch 0
"""
_PLEDGED_ONLY = """
1 waits on slot 1
1 says ballot of 1 in round 1: without 0 on slot 1
1 says ballot of 1 in round 2: that all stay
0 tells 2 ballot of 0 in round 2: that all stay
2 hears ballot of 1 in round 2: that all stay
2 says pledge of 2 in round 2: that all stay
"""
IN_VAIN = """
1 waits on slot 0
1 says entry good of 1 in slot 1 of epoch 0
2 says entry good of 2 in slot 1 of epoch 0
0 tells 2 entry wrong of 0 in slot 1 of epoch 0
1 says ballot of 1 in round 1: without 0 on slot 0
2 says ballot of 2 in round 1: without 0 on slot 0
2 hears ballot of 1 in round 1: without 0 on slot 0
2 says pledge of 2 in round 1: without 0 on slot 0
1 says ballot of 1 in round 2: that all stay
0 tells 1 ballot of 0 in round 3: that all stay
1 says ballot of 1 in round 3: that all stay
1 says pledge of 1 in round 3: that all stay
0 tells 1 pledge of 0 in round 3: that all stay
2 hears ballot of 1 in round 2: that all stay
2 says ballot of 2 in round 2: without 0 on slot 0
2 hears ballot of 1 in round 3: that all stay
2 says ballot of 2 in round 3: without 0 on slot 0
1 hears entry good of 2 in slot 1 of epoch 0
0 tells 1 entry good of 0 in slot 1 of epoch 0
"""

BEGINNINGS = {
    "at the table": "",
    "in the first turn": _FIRST_SLOT,
    "after a call": _FIRST_SLOT + _CALLED,
    "after a call and a leave": _FIRST_SLOT + _CALLED + _LEFT,
    "after three calls in vain": IN_VAIN,
    "after a pledge without a ballot": _FIRST_SLOT + _PLEDGED_ONLY,
}
