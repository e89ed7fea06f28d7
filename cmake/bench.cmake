# Measurements: sym-bench.
# How fast queries are answered, and by which layer.
file(GLOB sym_bench_sources CONFIGURE_DEPENDS bench/sym/*.c)
add_executable(sym-bench ${sym_bench_sources})
target_include_directories(sym-bench PRIVATE bench/sym)
target_link_libraries(sym-bench PRIVATE sennit_z3)
