"""Runs the Python blocks of one page, read as JSON from stdin, in one namespace; prints one line per fault.

It is a program of its own because the blocks need the interpreter that has the module, and because a block may do
anything."""
import doctest
import json
import sys
import traceback


def told(line, text):
    print("FAULT", line, json.dumps(text), sep="\t", file=sys.__stdout__)


def run_plain(block, names):
    """Executes the block with the numbers of the page's lines, so that a traceback names the right one."""
    try:
        exec(compile("\n" * block["line"] + block["text"], "<page>", "exec"), names)
    except BaseException:  # whatever it is, it is a fault of the page
        lines = [frame.lineno for frame in traceback.extract_tb(sys.exc_info()[2]) if frame.filename == "<page>"]
        told(lines[0] if lines else block["line"], traceback.format_exc(limit=0).strip())


def run_session(block, names):
    """Compares an interactive session; one … stands for any text, as elsewhere on the pages."""
    parser = doctest.DocTestParser()
    text = block["text"].replace("…", "...")
    test = parser.get_doctest(text, names, "page", "<page>", block["line"])
    test.globs = names
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    report = []
    runner.run(test, out=report.append, clear_globs=False)
    if report:
        told(block["line"], "".join(report).strip())


def main():
    names = {"__name__": "__main__"}
    for block in json.load(sys.stdin):
        (run_session if block["kind"] == "pycon" else run_plain)(block, names)


main()
