// The page of one snippet of the README: runs it as a module and tells its
// parent what it asked, what it printed, and how it ended.
const asked: string[] = []
const printed: unknown[][] = []
window.confirm = (text) => {
  asked.push(String(text))
  return true
}
const { log } = console
console.log = (...given) => {
  printed.push(given)
  log(...given)
}
// The address is the page's own, so no bundler has to find it.
const snippet: Promise<unknown> = import(location.pathname.replace(/html$/, 'js'))
snippet
  .then(
    () => undefined,
    (error) => String(error),
  )
  .then((failure) => parent.postMessage({ snippet: { asked, printed, failure } }, '*'))
