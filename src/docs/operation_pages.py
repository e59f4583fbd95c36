matrices = operations = solvers = lambda program: ""
