"""What a map's links look like as a whole: how far apart its ends lie, and where a route can be cut off."""

from __future__ import annotations

from dataclasses import dataclass

from ontour_cv.maps.model import MapTemplate


@dataclass(frozen=True, slots=True)
class MapShape:
    """The shape of a map.

    Attributes:
        longest: links on the shortest way between the two regions farthest apart.
        ends: such a pair; the first in the map's order.
        dead_ends: regions with a single link: a route can only begin or end there.
        narrows: regions no way round exists for: blocked, they cut the map in two.
    """

    longest: int
    ends: tuple[str, str]
    dead_ends: tuple[str, ...]
    narrows: tuple[str, ...]


def map_shape(template: MapTemplate) -> MapShape:
    """The shape of a connected map, its islands left out; ``ValueError`` when it is not connected or empty."""
    import networkx as nx

    graph = nx.Graph(template.edges())
    graph.add_edges_from((region, other) for region in template.ids for other in template.reach(region))
    mainland = [region for region in template.ids if region not in template.islands]
    graph.add_nodes_from(mainland)
    if not mainland or not nx.is_connected(graph):
        raise ValueError(f"the map {template.id!r} is not connected")
    far = dict(nx.all_pairs_shortest_path_length(graph))
    pairs = [(a, b) for k, a in enumerate(mainland) for b in mainland[k:]]
    ends = max(pairs, key=lambda pair: far[pair[0]][pair[1]])
    cuts = set(nx.articulation_points(graph))
    return MapShape(
        longest=far[ends[0]][ends[1]],
        ends=ends,
        dead_ends=tuple(region for region in mainland if graph.degree[region] == 1),
        narrows=tuple(region for region in mainland if region in cuts),
    )
