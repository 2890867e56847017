"""In the ranks each count costs twice its epsilon.

points:
    plan_priced: 0
"""

# %% plan_cost
def plan_cost(plan, replaced):
    if not isinstance(plan, list):
        return plan
    kind, *plans = plan
    if kind == "all":
        return sum(plan_cost(one, replaced) for one in plans)
    if kind == "ranks":
        return 2 * sum(plan_cost(one, False) for one in plans)
    each = sorted(plan_cost(one, False) for one in plans)
    if not replaced:
        return each[-1]
    return max(each[-1] + each[-2], max(plan_cost(one, True) for one in plans))
