export { readKept, resumeRun } from './resumeRun'
export { runProgram } from './runProgram'
