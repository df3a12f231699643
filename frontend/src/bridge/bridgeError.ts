/**
 * An error that Go gave. The name is its code, the contract; programs see both
 * at their call site: “InvalidInput: input.id: expected an integer”.
 */
export class BridgeError extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.name = code
    this.code = code
  }
}
