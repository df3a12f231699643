import { connect } from './bindings'
import { askAhead } from './bridge/askAhead'
import { createBridge } from './bridge/bridge'

/** What the first paint needs of Go, in the order of its envelope: hello leads. */
const operations = ['hello', 'functions', 'conversation.left', 'settings.read']

/** The app behind this page, or undefined where there is none. It is asked while the rest of the script is read. */
export const connection = connect()
const bridge = connection && createBridge(connection)
export const ask = bridge && askAhead(bridge, operations)
bridge?.now()
