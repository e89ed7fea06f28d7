#!/usr/bin/env python3
"""Searches that recognise states (--reduction=states): the programs of spinning.py and retrying.py, whose states are all
visited here.

    recognising.py SENNIT FIRST COUNT [FILE]

Final states must be the same. Threads that stay forever are reported as a deadlock or a livelock, or there are states
without an end, and nowhere else."""
import sys

import retrying
import spinning


class States:
    compile_flags, search_flags = ["--states"], ["--reduction=states"]

    @staticmethod
    def is_undecided(run, forever):
        return run["verdict"] == "incomplete"

    @staticmethod
    def is_complete(run):
        return run["verdict"] in ("exhaustive", "exhaustive-but-for")

    @staticmethod
    def stays(run, kinds):
        return bool(kinds) or run.get("endless", 0) > 0

    def source(self, ends):
        """The clock has no state that is known."""
        return super().source(ends).replace("usleep(1); ", "sched_yield(); ").replace("poll(NULL, 0, 1); ", "sched_yield(); ")


class Spinning(States, spinning.Program):
    pass


class Retrying(States, retrying.Program):
    pass


if __name__ == "__main__":
    spinning.main(Spinning if int(sys.argv[2]) // int(sys.argv[3]) % 4 < 2 else Retrying)
