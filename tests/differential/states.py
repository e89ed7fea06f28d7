"""All states of a small program, for generators that know what each instruction does."""


def reach(first, successors, is_final, most):
    """Final states, and whether the end cannot be reached from some state. None if there are too many states."""
    before, stack, finals = {first: []}, [first], []
    while stack:
        state = stack.pop()
        if is_final(state):
            finals.append(state)
        for after in successors(state):
            if after not in before:
                before[after] = []
                stack.append(after)
            before[after].append(state)
        if len(before) > most:
            return None
    good, stack = set(finals), list(finals)  # from where the end can be reached
    while stack:
        for state in before[stack.pop()]:
            if state not in good:
                good.add(state)
                stack.append(state)
    return finals, len(good) < len(before)
