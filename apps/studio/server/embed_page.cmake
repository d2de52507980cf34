# Writes OUTPUT, a C++ source that holds every file below FOLDER, the built page, so that the program serves it wherever
# it is installed. The assembler copies the bytes (.incbin): string literals of this size take the compiler minutes, and
# one asm statement of C++ needs no further language of the project. The symbols are global, so that link-time
# optimisation does not lose them, and hidden, so that they clash with nothing.
#
# The bytes are read when OUTPUT is compiled: whoever runs this makes OUTPUT depend on the files.
cmake_minimum_required(VERSION 3.25)

set(type_html "text/html; charset=utf-8")
set(type_js "text/javascript; charset=utf-8")
set(type_css "text/css; charset=utf-8")
set(type_txt "text/plain; charset=utf-8")
set(type_json "application/json")
set(type_svg "image/svg+xml")
set(type_wasm "application/wasm")
set(type_woff2 "font/woff2")

# Text as it stands between the quotes of a C++ string.
function(quoted text result)
  string(REPLACE "\\" "\\\\" text "${text}")
  string(REPLACE "\"" "\\\"" text "${text}")
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

file(GLOB_RECURSE files LIST_DIRECTORIES false RELATIVE "${FOLDER}" "${FOLDER}/*")
list(SORT files)
if(NOT "index.html" IN_LIST files)
  message(FATAL_ERROR "${FOLDER} holds no built page: index.html is missing")
endif()

set(number 0)
set(bytes "")
set(symbols "")
set(entries "")
foreach(file IN LISTS files)
  string(REGEX MATCH "[^./]+$" extension "${file}")
  if(NOT DEFINED type_${extension})
    message(FATAL_ERROR "${file} of the page has an extension whose media type is not known")
  endif()
  set(path "/${file}")
  if(file STREQUAL "index.html")
    set(path "/")
  endif()
  # A path inside the assembler's quotes, inside the quotes of C++.
  quoted("${FOLDER}/${file}" source)
  quoted("${source}" source)
  quoted("${path}" path)
  set(name painleve_studio_page_${number})
  string(APPEND bytes
    "    \".globl ${name}, ${name}_size\\n\"\n"
    "    \".hidden ${name}, ${name}_size\\n\"\n"
    "    \".balign 8\\n\"\n"
    "    \"${name}_size: .quad 1f - ${name}\\n\"\n"
    "    \"${name}: .incbin \\\"${source}\\\"\\n\"\n"
    "    \"1:\\n\"\n")
  string(APPEND symbols "extern const char ${name}[];\nextern const std::uint64_t ${name}_size;\n")
  string(APPEND entries "      {\"${path}\", \"${type_${extension}}\", {${name}, ${name}_size}},\n")
  math(EXPR number "${number} + 1")
endforeach()

file(WRITE "${OUTPUT}" "// Written by embed_page.cmake.
#include \"page_files.hpp\"

#include <cstdint>

asm(\".pushsection .rodata\\n\"
${bytes}    \".popsection\\n\");

extern \"C\" {
${symbols}}

namespace painleve::studio {

const std::vector<StaticFile>& page_files() {
  static const std::vector<StaticFile> all = {
${entries}  };
  return all;
}

}  // namespace painleve::studio
")
