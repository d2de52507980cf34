# Writes OUTPUT, a C++ source with the text of every .toml file in FOLDER: the shipped scenarios, so that the program finds
# them by name wherever it is installed.
set(code "#include \"painleve/scene/scene.hpp\"\n\nnamespace painleve {\n\nconst std::vector<Scenario>& scenarios() {\n")
string(APPEND code "  static const std::vector<Scenario> all = {\n")
file(GLOB files ${FOLDER}/*.toml)
foreach(file IN LISTS files)
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} text)
  string(APPEND code "      {\"${name}\", R\"scenario(${text})scenario\"},\n")
endforeach()
string(APPEND code "  };\n  return all;\n}\n\n}  // namespace painleve\n")
file(WRITE ${OUTPUT} "${code}")
