/** Puts a text on the clipboard; tells whether it could. */
export const copy = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyByHand(text)
  }
}

/** Where the page may not use the clipboard by itself, a selection still can, on the person's press. */
const copyByHand = (text: string): boolean => {
  const before = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'unseen'
  field.setAttribute('aria-hidden', 'true')
  document.body.append(field)
  field.select()
  try {
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    field.remove()
    if (before instanceof HTMLElement) before.focus()
  }
}
