"""Finds, with libclang, every place of a kernel where a fault can be put, and the faults that fit its types.

Places are looked for inside function bodies only. Constant expressions, template arguments and the texts of errors are
left out.
"""

import dataclasses
import hashlib
import pathlib
import re

import clang.cindex as ci
from clang.cindex import CursorKind as K
from clang.cindex import TypeKind as T

import kernels

FUNCTIONS = {K.FUNCTION_DECL, K.CXX_METHOD, K.CONSTRUCTOR, K.DESTRUCTOR, K.FUNCTION_TEMPLATE, K.CONVERSION_FUNCTION}
SKIPPED = {K.STATIC_ASSERT, K.CXX_THROW_EXPR, K.ENUM_DECL, K.STRING_LITERAL, K.TYPE_REF, K.TEMPLATE_REF}
FLOATS = {T.DOUBLE, T.FLOAT, T.LONGDOUBLE}
INTEGERS = {T.INT, T.UINT, T.LONG, T.ULONG, T.LONGLONG, T.ULONGLONG, T.SHORT, T.USHORT, T.UCHAR, T.SCHAR}
BOUNDARY = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
EXCHANGED = {"==": "!=", "!=": "==", "&&": "||", "||": "&&"}
FUNCTION_PAIRS = {"sin": "cos", "cos": "sin", "min": "max", "max": "min", "fmin": "fmax", "fmax": "fmin"}
OPERATOR = re.compile(rb"\s*(\+=|-=|\*=|/=|<=|>=|==|!=|&&|\|\||\+|-|\*|/|<|>)\s*")


@dataclasses.dataclass
class Fault:
    """One fault: how the text between start and end changes (bytes of the file), see schemata.py."""

    path: str
    module: str
    function: str
    line: int
    kind: str  # sign, drop, swap, boundary, turned, ...
    start: int
    end: int
    form: str  # wrap | choice | other
    arguments: list  # wrap: [prefix, suffix]; choice: [start, end, text] of the operator; other: [start, end] of the rest
    text: str  # the expression
    after: str  # what becomes of it
    key: str = ""
    number: int = 0

    def describe(self) -> str:
        return f"{self.path}:{self.line} {self.function}: {self.kind}: `{self.text}` -> {self.after}"


class Parser:
    """libclang with one precompiled header for all that the kernels share."""

    def __init__(self, root: pathlib.Path, work: pathlib.Path):
        self.root = root
        self.index = ci.Index.create()
        eigen = ["-isystem", "/usr/include/eigen3"]
        self.arguments = ["-std=c++20", "-DNDEBUG", '-DPAINLEVE_LIBRARY_VERSION=""', f"-I{root}", f"-I{root}/painleve/c",
                          *eigen]
        common = work / "common.hpp"
        headers = ("Eigen/Dense", "algorithm", "cmath", "limits", "numbers", "array", "vector", "string", "optional",
                   "functional", "span", "map", "memory", "fmt/format.h")
        common.write_text("".join(f"#include <{name}>\n" for name in headers))
        unit = self.index.parse(str(common), args=["-x", "c++-header", *self.arguments])
        unit.save(str(common) + ".pch")
        self.arguments += ["-include-pch", str(common) + ".pch"]

    def faults(self, kernel: kernels.Kernel) -> list[Fault]:
        path = self.root / kernel.path
        unit = self.index.parse(str(path), args=["-x", "c++", *self.arguments])
        errors = [str(d) for d in unit.diagnostics if d.severity >= ci.Diagnostic.Error]
        if errors:
            raise RuntimeError(f"{kernel.path} cannot be parsed: {errors[0]}")
        finder = _Finder(kernel, path)
        finder.visit_file(unit)
        return finder.named()


def _kind(cursor) -> str:
    """float, int, bool, matrix, dependent or other."""
    kind = cursor.type.get_canonical()
    if kind.kind in FLOATS:
        return "float"
    if kind.kind in INTEGERS:
        return "int"
    if kind.kind == T.BOOL:
        return "bool"
    if kind.kind == T.ENUM:
        return "enum"
    if kind.kind in (T.DEPENDENT, T.UNEXPOSED):
        return "dependent"
    return "matrix" if re.match(r"(const )?Eigen::", kind.spelling) else "other"


class _Finder:
    def __init__(self, kernel: kernels.Kernel, path: pathlib.Path):
        self.kernel = kernel
        self.file = str(path)
        self.source = path.read_bytes()
        self.found: list[Fault] = []
        self.function = ""

    def visit_file(self, unit) -> None:
        for cursor in unit.cursor.get_children():
            if cursor.location.file is not None and cursor.location.file.name == self.file:
                self._visit(cursor, None, False)

    def named(self) -> list[Fault]:
        """The faults in the order of the text, each with a name that outlives changes elsewhere in the file."""
        unique = {(f.start, f.end, f.kind, f.after): f for f in self.found}
        faults = sorted(unique.values(), key=lambda f: (f.start, f.end, f.kind, f.after))
        seen: dict[str, int] = {}
        for fault in faults:
            name = "|".join((fault.path, fault.function, fault.kind, " ".join(fault.text.split()), fault.after))
            seen[name] = seen.get(name, 0) + 1
            fault.key = hashlib.sha256(f"{name}|{seen[name]}".encode()).hexdigest()[:12]
        return faults

    # --- walking ---------------------------------------------------------------------------------------------------

    def _visit(self, cursor, parent, inside: bool) -> None:
        if cursor.kind in SKIPPED or self._is_constant(cursor):
            return
        outer = self.function
        if cursor.kind in FUNCTIONS:
            self.function = cursor.spelling
            if kernels.DRAWING_FUNCTIONS.match(self.function):
                self.function = outer
                return
        inside = inside or cursor.kind == K.COMPOUND_STMT
        children = list(cursor.get_children())
        if inside and self._is_plain(cursor):
            self._look_at(cursor, parent, children)
        for number, child in enumerate(children):
            if number == 0 and (cursor.kind == K.CASE_STMT or self._text(cursor).startswith(b"if constexpr")):
                continue  # a constant expression
            self._visit(child, cursor, inside)
        self.function = outer

    def _is_constant(self, cursor) -> bool:
        if cursor.kind not in FUNCTIONS and cursor.kind != K.VAR_DECL:
            return False
        head = re.split(rb"[{=]", self._text(cursor), maxsplit=1)[0]
        return re.search(rb"\b(constexpr|consteval)\b", head) is not None

    def _is_plain(self, cursor) -> bool:
        """Whether the text is the source's own: in this file and not out of a macro."""
        start, end = cursor.extent.start, cursor.extent.end
        return (start.file is not None and start.file.name == self.file and end.file is not None
                and end.file.name == self.file and end.offset > start.offset)

    def _text(self, cursor) -> bytes:
        return self.source[cursor.extent.start.offset:cursor.extent.end.offset]

    # --- what can go wrong with one cursor ---------------------------------------------------------------------------

    def _look_at(self, cursor, parent, children) -> None:
        if cursor.kind in (K.BINARY_OPERATOR, K.COMPOUND_ASSIGNMENT_OPERATOR) and len(children) == 2:
            self._binary(cursor, children[0], children[1])
        elif cursor.kind == K.CALL_EXPR and len(children) == 3 and self._is_operator(children[1]):
            self._binary(cursor, children[0], children[2])
        elif cursor.kind == K.UNARY_OPERATOR and len(children) == 1:
            self._unary(cursor, children[0])
        elif cursor.kind == K.CALL_EXPR and len(children) == 2 and self._text(cursor).startswith(b"-"):
            self._unary(cursor, children[0] if self._is_operator(children[1]) else children[1])
        elif cursor.kind == K.CALL_EXPR:
            self._call(cursor, children)
        elif cursor.kind in (K.INTEGER_LITERAL, K.FLOATING_LITERAL):
            self._literal(cursor, parent)
        elif cursor.kind in (K.IF_STMT, K.WHILE_STMT, K.CONDITIONAL_OPERATOR) and children:
            self._condition(cursor, children[0])

    def _is_operator(self, cursor) -> bool:
        return OPERATOR.fullmatch(self._text(cursor)) is not None

    def _binary(self, cursor, left, right) -> None:
        if not (self._is_plain(left) and self._is_plain(right)):
            return
        begin, end = left.extent.end.offset, right.extent.start.offset
        match = OPERATOR.fullmatch(self.source[begin:end]) if begin < end else None
        if match is None:
            return
        operator = match.group(1).decode()
        place = (begin + match.start(1), begin + match.end(1))
        kinds = (_kind(left), _kind(right), _kind(cursor))
        if operator in ("+", "-"):
            self._sum(cursor, left, right, kinds)
        elif operator in ("*", "/"):
            self._product(cursor, left, right, kinds, operator, place)
        elif operator in ("+=", "-=") and kinds[1] != "other":
            self._operand(cursor, right, "turned", "sign", f"a {operator} -(b)")
            self._operand(cursor, right, "dropped", "drop", "no change")
        elif operator in ("*=", "/=") and kinds[1] in ("float", "int"):
            self._operand(cursor, right, "without", "drop", "no change")
        elif operator in BOUNDARY and set(kinds[:2]) <= {"float", "int", "enum", "dependent"}:
            self._choice(cursor, "boundary", place, BOUNDARY[operator])
            self._choice(cursor, "turned", place, TURNED[operator])
        elif operator in EXCHANGED and set(kinds[:2]) <= {"float", "int", "enum", "bool", "dependent"}:
            self._choice(cursor, "exchanged", place, EXCHANGED[operator])

    def _sum(self, cursor, left, right, kinds) -> None:
        if "other" in kinds[:2] or kinds[2] == "other":  # pointers, texts, iterators
            return
        self._operand(cursor, right, "turned", "sign", "the second term turned")
        self._operand(cursor, left, "dropped", "drop", "the second term alone")
        self._operand(cursor, right, "dropped", "drop", "the first term alone")

    def _product(self, cursor, left, right, kinds, operator, place) -> None:
        numbers = {"float", "int"}
        if kinds[0] in numbers and kinds[1] in numbers:
            self._operand(cursor, right, "without", "drop", "the first factor alone")
            if operator == "*":
                self._operand(cursor, left, "without", "drop", "the second factor alone")
            if kinds[2] == "float":
                self._choice(cursor, "swap", place, "/" if operator == "*" else "*")
        elif kinds[1] in numbers:  # a matrix by a number
            self._operand(cursor, right, "without", "drop", "the matrix alone")
            if kinds[1] == "float":
                self._operand(cursor, right, "inverted", "swap", "/" if operator == "*" else "*")
        elif kinds[0] in numbers:
            self._operand(cursor, left, "without", "drop", "the matrix alone")
        elif kinds[0] != "other" and kinds[1] != "other":
            self._operand(cursor, right, "turned", "sign", "the second factor turned")

    def _unary(self, cursor, operand) -> None:
        text = self._text(cursor)
        if not self._is_plain(operand) or _kind(operand) == "other":
            return
        if text.startswith(b"-"):
            self._operand(cursor, operand, "turned", "sign", "without the minus")
        elif text.startswith(b"!"):
            rest = [operand.extent.start.offset, operand.extent.end.offset]
            self._add(cursor, "negated", "other", rest, "without the !")

    def _call(self, cursor, children) -> None:
        name = cursor.spelling
        match = re.match(rb"(?:std::)?(\w+)\(", self._text(cursor))
        if match is None or match.group(1).decode() != name:
            return
        begin = cursor.extent.start.offset
        place = (begin + match.start(1), begin + match.end(1))
        if name in FUNCTION_PAIRS and _kind(cursor) in ("float", "int", "dependent"):
            self._choice(cursor, "function", place, FUNCTION_PAIRS[name])
        elif name in ("abs", "fabs") and _kind(cursor) in ("float", "int") and len(children) == 2:
            rest = [children[1].extent.start.offset, children[1].extent.end.offset]
            self._add(cursor, "drop", "other", rest, "without the absolute value")

    def _literal(self, cursor, parent) -> None:
        before = self.source[:cursor.extent.start.offset].rstrip()
        if parent is not None and parent.kind in (K.MEMBER_REF_EXPR, K.DECL_REF_EXPR, K.TYPE_ALIAS_DECL):
            return  # a template argument
        if before.endswith(b"<") or (parent is not None and parent.kind in (K.VAR_DECL, K.PARM_DECL, K.FIELD_DECL)
                                     and not before.endswith((b"=", b"{", b"("))):
            return
        text = self._text(cursor).decode()
        if cursor.kind == K.INTEGER_LITERAL:
            after = f"1 + {text}"
        else:
            after = "1.0" if float(text.replace("'", "").rstrip("fFlL")) == 0 else f"1.5 * {text}"
        self._add(cursor, "constant", "wrap", [f"(mutant::on(#) ? {after} : ", ")"], after)

    def _condition(self, cursor, condition) -> None:
        if not self._is_plain(condition) or condition.kind in (K.DECL_STMT, K.VAR_DECL):
            return
        head = self.source[cursor.extent.start.offset:condition.extent.start.offset]
        if re.fullmatch(rb"(if|while)\s*\(\s*", head) is None and cursor.kind != K.CONDITIONAL_OPERATOR:
            return
        if re.search(rb"[<>=&|]|^!", self._text(condition)) is not None:
            return  # its own operators are faulted
        self._add(condition, "negated", "wrap", ["(mutant::on(#) != static_cast<bool>(", "))"], "negated")

    # --- recording ---------------------------------------------------------------------------------------------------

    def _operand(self, cursor, operand, function: str, kind: str, after: str) -> None:
        self._add(operand, kind, "wrap", [f"mutant::{function}(#, ", ")"], after, cursor)

    def _choice(self, cursor, kind: str, place, text: str) -> None:
        self._add(cursor, kind, "choice", [place[0], place[1], text], text)

    def _add(self, cursor, kind: str, form: str, arguments: list, after: str, whole=None) -> None:
        whole = whole or cursor
        text = " ".join(self._text(whole).decode().split())
        self.found.append(
            Fault(self.kernel.path, self.kernel.module, self.function, whole.extent.start.line, kind,
                  cursor.extent.start.offset, cursor.extent.end.offset, form, arguments,
                  text if len(text) <= 100 else text[:97] + "...", after))
