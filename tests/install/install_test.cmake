# Installs build_dir to a fresh prefix in work_dir, builds the project in this folder against that, and runs it and the
# installed program.
file(REMOVE_RECURSE ${work_dir})
set(prefix ${work_dir}/prefix)

macro(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endmacro()

run(${CMAKE_COMMAND} --install ${build_dir} --config ${config} --prefix ${prefix})
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${work_dir}/consumer -G ${generator}
  -D CMAKE_BUILD_TYPE=${config} -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_PREFIX_PATH=${prefix})
run(${CMAKE_COMMAND} --build ${work_dir}/consumer)
run(${work_dir}/consumer/consumer)
run(${work_dir}/consumer/my_sum_check)
if(EXISTS ${prefix}/bin/orderlab)
  run(${prefix}/bin/orderlab --help)
  foreach(text IN ITEMS man/man1/orderlab.1 bash-completion/completions/orderlab zsh/site-functions/_orderlab)
    file(STRINGS ${prefix}/share/${text} lines REGEX tolerance)
    if(NOT lines)
      message(FATAL_ERROR "share/${text} does not have the command `tolerance`")
    endif()
  endforeach()
endif()
