import { readdirSync, readFileSync } from 'node:fs'

// Linux counts CPU time in ticks of 1/100 s, whatever the kernel's own rate.
const TICKS_PER_SECOND = 100
const PAGE_BYTES = 4096

/** @typedef {{ pid: number, parent: number, ticks: number, bytes: number, threads: number, command: string }} Process */

/** @returns {Process[]} every process that can be read at this moment */
function processes() {
  const found = []
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1')
      // The command in parentheses may hold spaces; fields are counted after it.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      found.push({
        pid: Number(name),
        parent: Number(fields[1]),
        ticks: Number(fields[11]) + Number(fields[12]),
        threads: Number(fields[17]),
        bytes: Number(fields[21]) * PAGE_BYTES,
        command: readFileSync(`/proc/${name}/cmdline`, 'latin1').replaceAll('\0', ' '),
      })
    } catch {
      // It ended between the listing and the reading.
    }
  }
  return found
}

/** @param {number} root @returns {Process[]} root and everything it started */
export function descendants(root) {
  const all = processes()
  const family = new Set([root])
  for (let grown = true; grown; ) {
    grown = false
    for (const each of all) {
      if (!family.has(each.pid) && family.has(each.parent)) {
        family.add(each.pid)
        grown = true
      }
    }
  }
  return all.filter((each) => family.has(each.pid))
}

/**
 * Measures the processes below `root` that run web content.
 *
 * @param {number} root
 * @param {RegExp} webProcess what the command line of such a process looks like
 * @param {number} windowMs how long to watch
 * @returns {Promise<{ cores: number, bytes: number, threads: number, processes: number }>}
 *   cores: CPU use as a share of one core, all of them together
 */
export async function measure(root, webProcess, windowMs) {
  const before = new Map(descendants(root).map((each) => [each.pid, each.ticks]))
  const began = process.hrtime.bigint()
  await new Promise((resolve) => setTimeout(resolve, windowMs))
  const web = descendants(root).filter((each) => webProcess.test(each.command))
  const seconds = Number(process.hrtime.bigint() - began) / 1e9
  let ticks = 0
  for (const each of web) ticks += each.ticks - (before.get(each.pid) ?? 0)
  return {
    cores: ticks / TICKS_PER_SECOND / seconds,
    bytes: web.reduce((sum, each) => sum + each.bytes, 0),
    threads: web.reduce((sum, each) => sum + each.threads, 0),
    processes: web.length,
  }
}
