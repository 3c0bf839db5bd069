import { ConfigProvider } from 'antd';
import { type ReactNode, useMemo } from 'react';
import { antTheme } from './antTheme.ts';
import { useIsStill, useThemeName } from './themeChoice.ts';

export function ThemeProvider({ children }: { children: ReactNode }) {
  const name = useThemeName();
  const isStill = useIsStill();
  const theme = useMemo(() => antTheme(name, isStill), [name, isStill]);
  return (
    <ConfigProvider theme={theme} wave={{ disabled: true }} button={{ autoInsertSpace: false }}>
      {children}
    </ConfigProvider>
  );
}
