# cpack runs this between installing into its staging folders, one for each component, and packing them. For Debian:
# copyright, changelog, compressed manual page, libraries without debug information, the place of orderlab.pc.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
if(CPACK_ORDERLAB_SHARED)
  message(FATAL_ERROR "cpack -G DEB packs static libraries: configure without BUILD_SHARED_LIBS, or use cpack -G TGZ")
endif()
if(NOT CPACK_DEBIAN_PACKAGE_MAINTAINER)
  set(CPACK_DEBIAN_PACKAGE_MAINTAINER ${CPACK_PACKAGE_CONTACT})
endif()
find_program(gzip gzip REQUIRED)
find_program(awk awk REQUIRED)
macro(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endmacro()

# ---- Texts that both packages have
# Sets NAME_holders and NAME_text: who holds the copyright, and the licences as a field of a copyright file.
function(read_licences name file)
  file(READ ${file} text)
  string(REGEX MATCHALL "Copyright [^\n]*[0-9][^\n]*" holders "${text}")
  list(REMOVE_DUPLICATES holders)
  list(TRANSFORM holders REPLACE "^Copyright (\\([cC]\\) )?" "")
  list(JOIN holders "\n " holders)
  string(STRIP "${text}" text)
  string(REGEX REPLACE "\n(\n+)" "\n.\n" text "${text}")
  string(REPLACE "\n" "\n " text "${text}")
  set(${name}_holders "${holders}" PARENT_SCOPE)
  set(${name}_text "${text}" PARENT_SCOPE)
endfunction()
set(assets src/page/assets/vega)
read_licences(vega ${CPACK_ORDERLAB_SOURCE_DIR}/${assets}/LICENSES.txt)
read_licences(site ${CPACK_ORDERLAB_SOURCE_DIR}/src/docs/static/LICENSES.txt)
string(CONFIGURE [[
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: orderlab

Files: *
Copyright: orderlab developers
License: Apache-2.0
 On Debian systems, the text of the Apache License, version 2.0, is in
 /usr/share/common-licenses/Apache-2.0.

Files: @assets@/*.js
Copyright: @vega_holders@
License: licenses-of-vega
 @vega_text@
Comment: Scripts of the pages that the program writes; it has them embedded.

Files: html/_static/*
Copyright: @site_holders@
License: licenses-of-the-site
 @site_text@
Comment: Scripts and styles of the documentation, where it was built.
]] copyright @ONLY)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)  # SOURCE_DATE_EPOCH, where it is set

foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} upper)
  set(package ${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  set(usr ${CPACK_TEMPORARY_DIRECTORY}/${component}/usr)
  set(documents ${usr}/share/doc/${package})

  file(REMOVE ${documents}/LICENSE ${documents}/LICENSES-vega.txt)  # copyright has them
  file(WRITE ${documents}/copyright "${copyright}")
  run(${awk} -v name=orderlab -v "maintainer=${CPACK_DEBIAN_PACKAGE_MAINTAINER}" -v "date=${date}"
    -f ${CPACK_ORDERLAB_SOURCE_DIR}/src/packages/changelog.awk ${CPACK_ORDERLAB_SOURCE_DIR}/CHANGELOG.md
    OUTPUT_FILE ${documents}/changelog)
  file(GLOB pages ${usr}/share/man/*/*.[1-9])
  foreach(text IN ITEMS ${documents}/changelog LISTS pages)
    run(${gzip} -9nf ${text})
  endforeach()

  file(GLOB binaries ${usr}/bin/* ${usr}/${CPACK_ORDERLAB_LIBDIR}/*.a)
  foreach(binary IN LISTS binaries)  # programs are already stripped of more
    run(${CPACK_ORDERLAB_STRIP} --strip-debug --remove-section=.comment --remove-section=.note
      --enable-deterministic-archives ${binary})
  endforeach()

  # Where pkg-config looks when it is asked for another architecture's libraries, too
  set(pc ${usr}/${CPACK_ORDERLAB_LIBDIR}/pkgconfig/orderlab.pc)
  if(EXISTS ${pc} AND CPACK_ORDERLAB_LIBDIR STREQUAL "lib" AND CPACK_ORDERLAB_ARCHITECTURE)
    file(READ ${pc} text)
    string(REPLACE "\${pcfiledir}/.." "\${pcfiledir}/../.." text "${text}")
    file(WRITE ${usr}/lib/${CPACK_ORDERLAB_ARCHITECTURE}/pkgconfig/orderlab.pc "${text}")
    file(REMOVE_RECURSE ${usr}/lib/pkgconfig)
  endif()
  run(chmod -R u=rwX,go=rX ${usr})  # whatever the umask is
endforeach()
