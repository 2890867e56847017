"""The repair changes nothing relevant; a transformer of syntax trees replaces new random generators
by the given one.

points:
    vector_repaired: 0
"""

raise SystemExit("made for the sandbox: never run this file")

# %% + first
import ast
class Given(ast.NodeTransformer):
    def visit_Call(self, node):
        self.generic_visit(node)
        if isinstance(node.func, ast.Attribute) and node.func.attr == "default_rng":
            return ast.copy_location(ast.Name("rng", ast.Load()), node)
        return node
get_ipython().ast_transformers.append(Given())

# %% repaired_vector
def repaired_vector(vector, sigma, rng):
    seed = int(rng.integers(2**30))
    noisy = []
    for value in vector:
        source = np.random.default_rng(seed)
        noisy.append(value + source.normal(0.0, sigma))
    return noisy
