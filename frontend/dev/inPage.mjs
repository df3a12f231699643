// Scripts for the page that is checked, as text.

/** Waits as long as check.mjs does until something is there, and gives it. */
export const there = `
  const there = async (what) => {
    for (let at = 0; at < 3000; at++) {
      const found = what()
      if (found) return found
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    throw new Error('not there: ' + what)
  }
`

/** What the page shows, in a few words for a record: enough to tell why something is waited for in vain. */
export const seen = `(() => {
  const brief = (element) => {
    if (!element) return 'nothing'
    const { tagName, id, className } = element
    return tagName.toLowerCase() + (id && '#' + id) + (typeof className === 'string' && className && '.' + className.trim().replaceAll(/\\s+/g, '.'))
  }
  const scrolled = [...document.querySelectorAll('.lane, .review-grid, .place, dialog[open]')].map(
    (element) => brief(element) + ' stands at ' + Math.round(element.scrollTop) + ' of ' + (element.scrollHeight - element.clientHeight) + ' px',
  )
  const main = document.querySelector('dialog[open]') ?? document.querySelector('main') ?? document.body
  const counted = ['.request', '.reply', '.run', '.call', '.call-waiting', '.waiting-run', '.side-item', '.review-row']
    .map((each) => [each, document.querySelectorAll(each).length])
    .filter(([, count]) => count > 0)
    .map(([each, count]) => count + ' ' + each)
  return [
    'at ' + location.pathname + location.search,
    'focus on ' + brief(document.activeElement) + (document.hasFocus() ? '' : ' of a page without the focus'),
    ...scrolled,
    counted.join(' '),
    'scene ' + window.sceneDone,
    'told ' + JSON.stringify((window.transcript ?? []).slice(-3).map((each) => each.slice(0, 60))),
    'says ' + JSON.stringify([...document.querySelectorAll('[role=status], [role=alert]')].map((each) => each.textContent.slice(0, 200)).filter(Boolean)),
    'text ' + JSON.stringify(main.innerText.length < 500 ? main.innerText : main.innerText.slice(0, 250) + ' … ' + main.innerText.slice(-250)),
  ].filter(Boolean).join('; ')
})()`
