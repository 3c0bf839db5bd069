import { Tabs } from 'antd';
import { type Dispatch, type ReactNode, type SetStateAction, useCallback, useState } from 'react';
import { useSearchParams } from 'react-router';
import { TabGuard } from './leaveGuard.ts';

export interface PageTab {
  key: string;
  title: string;
  content: ReactNode;
  /** The tab has unsaved changes: its title shows that, and it stays mounted while another tab is shown. A form with a leave guard says so itself. */
  isUnsaved?: boolean;
}

/** The number of forms with unsaved changes, by the key of their tab. */
type Counts = Readonly<Record<string, number>>;

interface PageTabsProps {
  label: string;
  tabs: readonly PageTab[];
  /** The default tab; the first one unless given. */
  usual?: string;
}

/** The shown tab is in the address, so that it can be linked to and Back finds it again. */
export function PageTabs({ label, tabs, usual = tabs[0]?.key ?? '' }: PageTabsProps) {
  const [search, setSearch] = useSearchParams();
  const [unsavedForms, setUnsavedForms] = useState<Counts>({});
  const isKept = ({ key, isUnsaved = false }: PageTab) => isUnsaved || (unsavedForms[key] ?? 0) > 0;
  const asked = search.get('tab') ?? '';
  const shown = tabs.some(({ key }) => key === asked) ? asked : usual;
  return (
    <Tabs
      aria-label={label}
      activeKey={shown}
      items={tabs.map((tab) => ({
        key: tab.key,
        label: isKept(tab) ? <Unsaved title={tab.title} /> : tab.title,
        children: (
          <Guarded tabKey={tab.key} onCount={setUnsavedForms}>
            {tab.content}
          </Guarded>
        ),
        destroyOnHidden: !isKept(tab),
      }))}
      onChange={(key) => setSearch(key === usual ? {} : { tab: key })}
    />
  );
}

interface GuardedProps {
  tabKey: string;
  onCount: Dispatch<SetStateAction<Counts>>;
  children: ReactNode;
}

/** Counts the forms with unsaved changes in a tab. */
function Guarded({ tabKey, onCount, children }: GuardedProps) {
  const tell = useCallback(
    (isUnsaved: boolean) => onCount((before) => ({ ...before, [tabKey]: (before[tabKey] ?? 0) + (isUnsaved ? 1 : -1) })),
    [tabKey, onCount],
  );
  return <TabGuard value={tell}>{children}</TabGuard>;
}

const Unsaved = ({ title }: { title: string }) => (
  <>
    {title} <span aria-hidden>*</span>
    <span className="visually-hidden">(unsaved changes)</span>
  </>
);
