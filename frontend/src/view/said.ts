export { Exchange } from './Exchange'
export { ReopenedRun } from './ReopenedRun'
