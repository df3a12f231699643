/** Bytes as padded standard base64. */
export const toBase64 = (bytes: Uint8Array): string => {
  let binary = ''
  // A spread of a large view would overflow the stack.
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(binary)
}

/** The reverse; throws where the text is not base64. */
export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> => {
  const binary = atob(text)
  const bytes = new Uint8Array(binary.length)
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at)
  return bytes
}

/** The UTF-16 units of a string in hex, four digits each. */
export const toUnits = (text: string): string => {
  let hex = ''
  for (let at = 0; at < text.length; at++) hex += text.charCodeAt(at).toString(16).padStart(4, '0')
  return hex
}

export const fromUnits = (hex: string): string => {
  let text = ''
  for (let at = 0; at < hex.length; at += 4) text += String.fromCharCode(Number.parseInt(hex.slice(at, at + 4), 16))
  return text
}

/** How many bytes the string takes as JSON text in UTF-8. */
export const jsonBytes = (text: string): number => {
  let bytes = 2
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 0x22 || unit === 0x5c || (unit >= 8 && unit <= 13 && unit !== 11)) bytes += 2
    else if (unit < 0x20) bytes += 6
    else if (unit < 0x80) bytes += 1
    else if (unit < 0x800 || (unit >= 0xd800 && unit < 0xe000)) bytes += 2
    else bytes += 3
  }
  return bytes
}
