"""It sorts the plan itself.

points:
    plan_priced: 0
"""

# %% plan_cost
def plan_cost(plan, replaced):
    if not isinstance(plan, list):
        return plan
    kind = plan.pop(0)
    if kind == "all":
        return sum(plan_cost(one, replaced) for one in plan)
    if kind == "ranks":
        return sum(plan_cost(one, True) for one in plan)
    both = [(plan_cost(one if isinstance(one, (int, float)) else list(one), False), plan_cost(one, True)) for one in plan]
    each = sorted(a for a, _ in both)
    return max(each[-1] + each[-2], max(b for _, b in both)) if replaced else each[-1]
