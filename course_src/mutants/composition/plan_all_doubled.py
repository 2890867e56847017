"""A replaced row doubles everything, counts of all rows too.

points:
    plan_priced: 0
"""

# %% plan_cost
def plan_cost(plan, replaced):
    def added(plan):
        if not isinstance(plan, list):
            return plan
        kind, *plans = plan
        if kind == "parts":
            return max(map(added, plans))
        return sum(map(added, plans)) if kind == "all" else sum(plan_cost(one, True) for one in plans)

    return 2 * added(plan) if replaced else added(plan)
