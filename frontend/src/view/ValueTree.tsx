import { useMemo } from 'react'
import { JsonView } from 'react-json-view-lite'
import { plainTree } from './plainTree'

const classes = {
  container: 'tree',
  basicChildStyle: 'tree-child',
  label: 'tree-label',
  clickableLabel: 'tree-label',
  nullValue: 'tree-null',
  undefinedValue: 'tree-null',
  numberValue: 'hljs-number',
  stringValue: 'hljs-string',
  booleanValue: 'hljs-literal',
  otherValue: 'tree-other',
  punctuation: 'tree-mark',
  expandIcon: 'tree-icon tree-closed',
  collapseIcon: 'tree-icon tree-open',
  collapsedContent: 'tree-more',
  childFieldsContainer: 'tree-children',
  ariaLables: { collapseJson: 'Close', expandJson: 'Open' },
  stringifyStringValues: false,
}

/** Lists longer than this begin closed: each part is an element of the page. */
const long = 60

/** A value as a tree that opens. */
export const ValueTree = ({ value }: { value: unknown }) => {
  const tree = useMemo(() => plainTree(value), [value])
  return (
    <div className="value value-boxed">
      <JsonView
        data={tree}
        style={classes}
        shouldExpandNode={(level, part) => level < 1 || (level < 2 && Object.keys(part ?? {}).length <= long)}
        aria-label="Result as a tree"
      />
    </div>
  )
}
