import SearchOutlined from '@ant-design/icons/SearchOutlined';
import type { ReactNode } from 'react';
import { EmptyState } from './EmptyState.tsx';

/** Screens 1.4: what a search or filter that finds nothing shows. */
export function NoMatch({ children = "Sorry, we couldn't find anything.", action }: { children?: ReactNode; action?: ReactNode }) {
  return (
    <EmptyState icon={<SearchOutlined />} action={action}>
      {children}
    </EmptyState>
  );
}
