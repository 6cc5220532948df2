"""Boards that several tests look at, as notation."""

from __future__ import annotations

GOLDEN = (
    "AL=79 AR=48 AZ=50 CA=29o CO=36o FL=92 GA=81o IA=41 ID=19o IL=63 IN=20o KS=52 KY=72 LA=57 MC=10 MI=02o MN=12 MO=41o"
    " MS=63 MT=14 NC=97 ND=13 NE=39 NE2=96 NM=25 NV=31 NY=18o OH=01 OK=81 OR=27 PA=93 SC=84 SD=*o TN=75 TX=91 UT=36"
    " VA=14 WA=21o WI=x WV=69 WY=18"
)
"""A real finished board; its best route was proved by exhaustive search: 23 states + 7 circles."""

_ROUTE = "MN ND SD MT WY ID WA OR CA NV UT CO NE IA MO AR LA MS TN AL GA SC NC"
GOLDEN_ROUTE = tuple(_ROUTE.split())
