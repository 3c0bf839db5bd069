import type { Key, ReactNode } from 'react';
import type { ListItems } from '../api/query.ts';
import { ErrorState } from './ErrorState.tsx';
import styles from './ItemsPage.module.css';
import type { Column } from './items/column.ts';
import { ItemsTable } from './items/ItemsTable.tsx';
import { Paginator } from './items/Paginator.tsx';
import { StaleNotice } from './items/StaleNotice.tsx';
import { type Tag, TagList } from './items/TagList.tsx';
import { type View, Views } from './items/Views.tsx';
import { NoMatch } from './NoMatch.tsx';
import { PageHeader } from './PageHeader.tsx';
import { SearchBox } from './SearchBox.tsx';
import { SideBarLayout } from './SideBarLayout.tsx';

export type { Column } from './items/column.ts';
export type { View } from './items/Views.tsx';

interface ItemsPageProps<T> {
  title: string;
  /** The heading where the title is more than text, such as a name to edit in place. */
  heading?: ReactNode;
  above?: ReactNode;
  /** The primary action. */
  action?: ReactNode;
  items: ListItems<T>;
  columns: readonly Column<T>[];
  /** Shown for an empty list: an EmptyState. */
  empty: ReactNode;
  keyOf?: (item: T) => Key;
  hasSearch?: boolean;
  /** Content beside the search box. */
  filter?: ReactNode;
  /** A filter is active, so an empty list means "no match". */
  isFiltered?: boolean;
  searchPlaceholder?: string;
  /** The sizes to choose from, where they are not the usual ones. */
  pageSizes?: readonly number[];
  /** False where the size is fixed. */
  hasPageSizes?: boolean;
  views?: readonly View[];
  tags?: readonly Tag[];
  /** The plural of the tagged objects: "No queries found tagged with a+b." */
  tagged?: string;
  /** 2 below a frame that has a title. */
  level?: 1 | 2 | 3;
  /** The list is one part of a page: a smaller title, no search, pages of a fixed size. */
  isPart?: boolean;
  /** A warning above the table. */
  notice?: ReactNode;
}

/** The page of every list in the product; a list adds only its own parts. */
export function ItemsPage<T>(props: ItemsPageProps<T>) {
  const { title, items, views = [], tags = [], isPart = false, hasSearch = !isPart, level = 1 } = props;
  const hasTags = props.tags !== undefined && (tags.length > 0 || items.tags.length > 0);
  const search = hasSearch && (
    <SearchBox
      value={items.q}
      onSearch={items.setSearch}
      label={`Search ${title}`}
      {...(props.searchPlaceholder && { placeholder: props.searchPlaceholder })}
    />
  );
  return (
    <div className={isPart ? styles.log : level === 1 ? styles.page : styles.part}>
      <PageHeader title={props.heading ?? title} above={props.above} action={props.action} level={level} isSmall={isPart} />
      {views.length > 0 || hasTags ? (
        <SideBarLayout
          side={
            <>
              {search}
              {views.length > 0 && <Views views={views} label={title} />}
              {hasTags && <TagList tags={tags} selected={items.tags} onToggle={items.toggleTag} onClear={items.clearTags} />}
            </>
          }
        >
          {props.notice}
          <List {...props} />
        </SideBarLayout>
      ) : (
        <>
          {(search || props.filter) && (
            <div className={styles.filters}>
              {search && <div className={styles.search}>{search}</div>}
              {props.filter}
            </div>
          )}
          {props.notice}
          <List {...props} />
        </>
      )}
    </div>
  );
}

function List<T>(props: ItemsPageProps<T>) {
  const { title, items, columns, empty, keyOf = idOf, isPart = false, hasPageSizes = !isPart, tagged = 'items' } = props;
  if (items.error && (items.isFirstLoad || items.items.length === 0)) return <ErrorState error={items.error} onRetry={items.reload} />;
  const hasNothing = !items.isFirstLoad && items.items.length === 0;
  if (hasNothing && items.tags.length > 0 && !items.q)
    return <NoMatch>{`No ${tagged} found tagged with ${items.tags.join('+')}.`}</NoMatch>;
  if (hasNothing) return items.q || items.tags.length > 0 || props.isFiltered ? <NoMatch /> : empty;
  return (
    <div className={styles.list}>
      {items.error && <StaleNotice error={items.error} onRetry={items.reload} />}
      <ItemsTable
        label={title}
        columns={columns}
        items={items.items}
        keyOf={keyOf}
        order={items.order}
        onOrder={items.setOrder}
        isLoading={items.isFirstLoad}
        isStale={items.isRefreshing}
      />
      <Paginator
        page={items.page}
        pageSize={items.pageSize}
        total={items.total}
        onPage={items.setPage}
        onPageSize={hasPageSizes ? items.setPageSize : undefined}
        {...(props.pageSizes && { pageSizes: props.pageSizes })}
      />
    </div>
  );
}

function idOf(item: unknown): Key {
  return item !== null && typeof item === 'object' && 'id' in item ? String(item.id) : String(item);
}
