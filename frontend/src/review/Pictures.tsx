import { ActivityPicture } from './ActivityPicture'
import { FunctionPictures } from './FunctionPictures'
import type { Filter, Stats } from './shapes'
import { WaitsPicture } from './WaitsPicture'

/** The pictures of a log: activity, functions, and how long people took. */
const Pictures = ({
  stats,
  filter,
  onFilter,
}: {
  stats: Stats
  filter: Filter
  onFilter: (filter: Filter) => void
}) => (
  <div className="review-pictures">
    <ActivityPicture stats={stats} filter={filter} onFilter={onFilter} />
    <FunctionPictures stats={stats} filter={filter} onFilter={onFilter} />
    <WaitsPicture stats={stats} />
  </div>
)
export default Pictures
