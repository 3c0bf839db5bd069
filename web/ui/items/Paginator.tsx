import LeftOutlined from '@ant-design/icons/LeftOutlined';
import RightOutlined from '@ant-design/icons/RightOutlined';
import { isPaginatorHidden } from '@telltale/domain/lists/paging.ts';
import styles from './Paginator.module.css';
import { pageNumbers } from './pageNumbers.ts';

/** Q9. */
const usualSizes = [5, 10, 20, 50, 100];
const counted = new Intl.NumberFormat('en');

interface PaginatorProps {
  page: number;
  pageSize: number;
  total: number;
  onPage: (page: number) => void;
  /** Left out where the size cannot be chosen. */
  onPageSize?: ((pageSize: number) => void) | undefined;
  pageSizes?: readonly number[];
}

export function Paginator({ page, pageSize, total, onPage, onPageSize, pageSizes = usualSizes }: PaginatorProps) {
  if (isPaginatorHidden(total, pageSize, onPageSize !== undefined)) return null;
  const last = Math.max(1, Math.ceil(total / pageSize));
  const from = (page - 1) * pageSize + 1;
  const to = Math.min(total, page * pageSize);
  return (
    <div className={styles.paginator}>
      <span className={styles.range}>
        {counted.format(from)}–{counted.format(to)} of {counted.format(total)}
      </span>
      {last > 1 && (
        <nav className={styles.pages} aria-label="Pages">
          <button type="button" disabled={page <= 1} aria-label="Previous page" onClick={() => onPage(page - 1)}>
            <LeftOutlined aria-hidden />
          </button>
          {pageNumbers(page, last).map((number, at) =>
            number === null ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: a gap has no other name than its place
              <span key={`gap-${at}`} className={styles.gap}>
                …
              </span>
            ) : (
              <button
                key={number}
                type="button"
                className={number === page ? styles.current : styles.number}
                aria-label={`Page ${number}`}
                aria-current={number === page ? 'page' : undefined}
                onClick={() => onPage(number)}
              >
                {counted.format(number)}
              </button>
            ),
          )}
          <button type="button" disabled={page >= last} aria-label="Next page" onClick={() => onPage(page + 1)}>
            <RightOutlined aria-hidden />
          </button>
        </nav>
      )}
      {onPageSize && (
        <select
          className={styles.size}
          aria-label="Items per page"
          value={pageSize}
          onChange={(event) => onPageSize(Number(event.target.value))}
        >
          {[...new Set([...pageSizes, pageSize])]
            .sort((a, b) => a - b)
            .map((size) => (
              <option key={size} value={size}>
                {size} / page
              </option>
            ))}
        </select>
      )}
    </div>
  );
}
