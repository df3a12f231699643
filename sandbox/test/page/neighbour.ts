// Another frame of the page, which posts whatever the test hands it, to the
// page and to every other frame in it.
addEventListener('message', (event) => {
  if (event.source !== parent || !Array.isArray(event.data?.copies)) return
  for (const copy of event.data.copies) {
    parent.postMessage(copy, '*')
    for (let i = 0; i < parent.frames.length; i++) {
      if (parent.frames[i] !== window) parent.frames[i]?.postMessage(copy, '*')
    }
  }
  parent.postMessage({ neighbour: 'done' }, '*')
})
parent.postMessage({ neighbour: 'ready' }, '*')
