# DSDP as one object file of the library, ISOGON_DSDP_OBJECT, cut out of Debian's static library: what it calls outside
# itself is in src/semidefinite/dsdp_host.hpp, and of its own names nobody sees any. The reasons stand in
# docs/decisions/semidefinite-solver.md.
find_package(DSDP REQUIRED)
if(NOT CMAKE_OBJCOPY OR NOT CMAKE_LINKER)
    message(FATAL_ERROR "objcopy and ld (binutils) are needed, to make DSDP a part of the library")
endif()

set(folder ${PROJECT_BINARY_DIR}/generated/isogon_dsdp)
set(ISOGON_DSDP_OBJECT ${folder}/dsdp.o)
set(symbols "")
set(kept "")
set(macros "// Made by cmake/IsogonDsdp.cmake: DSDP's functions by the names that they have in the library.\n#pragma once\n")

# What DsdpSolver calls.
foreach(name IN ITEMS DSDPCreate DSDPCreateSDPCone SDPConeSetBlockSize SDPConeSetStorageFormat SDPConeSetASparseVecMat
        SDPConeSetARankOneMat DSDPSetDualObjective DSDPCreateBCone BConeAllocateBounds BConeSetLowerBound BConeSetUpperBound
        DSDPSetGapTolerance DSDPSetMaxIts DSDPSetPenaltyParameter DSDPSetMonitor DSDPSetup DSDPSolve DSDPComputeX
        DSDPStopReason DSDPGetSolutionType SDPConeGetXArray SDPConeRestoreXArray DSDPGetY DSDPGetDDObjective DSDPGetIts)
    string(APPEND symbols "${name} isogon_${name}\n")
    # GNU's objcopy looks for the new name, LLVM's for the old one.
    string(APPEND kept "${name}\nisogon_${name}\n")
    string(APPEND macros "#define ${name} isogon_${name}\n")
endforeach()
# What it calls.
foreach(name IN ITEMS dasum ddot dnrm2 dscal daxpy dgemv dsymv dsyr dtrmv dtrsv dpotrf dpotri dsyev dsyevr dstev dstevr)
    string(APPEND symbols "${name}_ isogon_dsdp_${name}\n")
endforeach()
foreach(name IN ITEMS malloc calloc free exit log printf fprintf puts fputs putchar fputc fwrite fflush)
    string(APPEND symbols "${name} isogon_dsdp_${name}\n")
endforeach()
# The step of a loop of its setup that takes seconds and calls nothing else: the linker turns calls between its files to
# __wrap_NAME, which is ours and goes on to NAME.
set(step DSDPDataMatGetRowNonzeros)
string(APPEND symbols "${step} isogon_${step}\n__wrap_${step} isogon_dsdp_row_nonzeros\n")
string(APPEND kept "${step}\nisogon_${step}\n")
# Of packed triangles, and for the checks of its authors: not asked for.
foreach(name IN ITEMS dspevx dspmv dspr dpptrf dpptri dpptrs dtpsv dsyevx)
    string(APPEND symbols "${name}_ isogon_dsdp_${name}\n")
endforeach()
file(CONFIGURE OUTPUT ${folder}/symbols.txt CONTENT "${symbols}" @ONLY)
file(CONFIGURE OUTPUT ${folder}/kept.txt CONTENT "${kept}" @ONLY)
string(APPEND macros "#include <dsdp/dsdp5.h>\n")
file(CONFIGURE OUTPUT ${folder}/include/isogon_dsdp.hpp CONTENT "${macros}" @ONLY)

add_custom_command(OUTPUT ${ISOGON_DSDP_OBJECT}
    COMMAND ${CMAKE_LINKER} -r --wrap=${step} --whole-archive ${DSDP_ARCHIVE} -o ${folder}/whole.o
    COMMAND ${CMAKE_OBJCOPY} --strip-debug --redefine-syms=${folder}/symbols.txt --keep-global-symbols=${folder}/kept.txt
            ${folder}/whole.o ${ISOGON_DSDP_OBJECT}
    DEPENDS ${DSDP_ARCHIVE} ${folder}/symbols.txt ${folder}/kept.txt
    COMMENT "Making DSDP a part of the library" VERBATIM)
set_source_files_properties(${ISOGON_DSDP_OBJECT} PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
# For the one file that calls DSDP: all others are then the same objects in any folder.
set(flags "-isystem${folder}/include")
if(NOT DSDP_INCLUDE_DIR IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
    list(APPEND flags "-isystem${DSDP_INCLUDE_DIR}")
endif()
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/semidefinite/dsdp_solver.cpp PROPERTIES COMPILE_OPTIONS "${flags}")
unset(folder)
unset(step)
unset(flags)
