"""What a watched agent thought before its last move: value, plan, shares of the search, worth of actions."""

from __future__ import annotations

from html import escape

from dicezero.studio.table import Thought

_MOST = 8  # actions of the list; the rest are few simulations


def watched_card(thought: Thought) -> str:
    """The card: the value of the position, and each action with its share of the simulations and its Q."""
    result, names = thought.result, thought.names
    total = sum(result.visits.values())
    ranked = sorted(
        names, key=lambda action: (action != result.action, -result.visits.get(action, 0), action)
    )
    rows = []
    for action in ranked[:_MOST]:
        share = f"{100 * result.visits.get(action, 0) / total:.0f} %" if total else ""
        worth = f"{result.action_values[action]:.3g}" if action in result.action_values else ""
        rows.append(
            f"<tr><td>{escape(names[action])}</td><td>{share}</td><td>{worth}</td></tr>"
            if action != result.action
            else f"<tr><th>{escape(names[action])}</th><td>{share}</td><td>{worth}</td></tr>"
        )
    plan = " ".join(escape(name) for name in thought.plan)
    more = f"<p>and {len(names) - _MOST} more</p>" if len(names) > _MOST else ""
    return (
        f'<div class="grade none watched" data-ply="{thought.ply}"><h2>{escape(names[result.action])}</h2>'
        f"<p>Expects {result.value:.3g} from here on. Its plan: {plan}</p>"
        '<table aria-label="what the agent thought"><thead><tr><th>action</th><th>of its search</th>'
        f"<th>worth</th></tr></thead><tbody>{''.join(rows)}</tbody></table>{more}</div>"
    )
