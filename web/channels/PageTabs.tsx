import { Tabs } from 'antd';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';

export interface PageTab {
  key: string;
  title: string;
  content: ReactNode;
}

interface PageTabsProps {
  label: string;
  tabs: readonly PageTab[];
  /** Shown where the address names none; the first one unless given. */
  usual?: string;
}

/** Which tab is shown is in the address, so that it can be linked to and Back finds it again. */
export function PageTabs({ label, tabs, usual = tabs[0]?.key ?? '' }: PageTabsProps) {
  const [search, setSearch] = useSearchParams();
  const asked = search.get('tab') ?? '';
  const shown = tabs.some(({ key }) => key === asked) ? asked : usual;
  return (
    <Tabs
      aria-label={label}
      activeKey={shown}
      destroyOnHidden
      items={tabs.map(({ key, title, content }) => ({ key, label: title, children: content }))}
      onChange={(key) => setSearch(key === usual ? {} : { tab: key })}
    />
  );
}
