import './api/zodSetup.ts';
import '@fontsource-variable/inter';
import '@fontsource-variable/jetbrains-mono';
import 'virtual:theme.css';
import './theme/base.css';
import './layout/boot.css';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { askEarly } from './api/call.ts';
import { queryClient } from './api/queryClient.ts';
import { loadSession, loadSharedSession } from './api/session.ts';
import { finishSignInWindow } from './api/signInWindow.ts';
import { uplinkFeed } from './channels/uplinkFeed.ts';
import { ErrorPanel, NotFoundPanel } from './layout/ErrorPanel.tsx';
import { Frame } from './layout/Frame.tsx';
import { PagesProvider } from './layout/Pages.tsx';
import { PageView } from './layout/PageView.tsx';
import { findPage, firstRead, type PageRoute } from './layout/pageRoute.ts';
import { reloadOnMissingChunk } from './layout/reloadOnMissingChunk.ts';
import { SharedFrame } from './layout/SharedFrame.tsx';
import { pages, sharedPages } from './routes.tsx';
import { ThemeProvider } from './theme/ThemeProvider.tsx';
import { tabLeavesSelect } from './ui/tabLeavesSelect.ts';
import { UplinkFeedContext } from './visualizations/live-uplink/uplinkFeed.ts';

const place = document.getElementById('root');
if (!place) throw new Error('index.html has no #root');
const root = createRoot(place);
reloadOnMissingChunk();
tabLeavesSelect();
void start();

/** The skeleton of index.html stays until the session and the code of the page are loaded. */
async function start(): Promise<void> {
  const shared = findPage(sharedPages, location.pathname);
  const page = shared ?? findPage(pages, location.pathname);
  const code = page?.preload();
  const session = shared ? loadSharedSession(sharedKey()) : loadSession();
  const read = page && firstRead(page, location.pathname);
  if (read) askEarly(read);
  try {
    await session;
  } catch (error) {
    root.render(
      <ThemeProvider>
        <ErrorPanel error={error} onRetry={start} />
      </ThemeProvider>,
    );
    return;
  }
  if (!shared && finishSignInWindow()) return;
  await code?.catch(() => {});
  draw(shared ? sharedPages : pages, shared ? <SharedFrame /> : <Frame />);
}

/** The key in the address: a parameter for an embedded visualization, a part of the path for a shared dashboard. */
function sharedKey(): string {
  const [, token] = /^\/public\/dashboards\/([^/]+)/.exec(location.pathname) ?? [];
  return token ?? new URLSearchParams(location.search).get('api_key') ?? '';
}

function draw(offered: readonly PageRoute[], frame: ReactNode): void {
  const router = createBrowserRouter([
    {
      element: frame,
      errorElement: <ErrorPanel error={new Error('The page could not be drawn.')} />,
      children: [
        ...offered.map((page) => ({ path: page.path, element: <PageView page={page} /> })),
        { path: '*', element: <NotFoundPanel /> },
      ],
    },
  ]);
  root.render(
    <ThemeProvider>
      <QueryClientProvider client={queryClient}>
        <PagesProvider value={offered}>
          <UplinkFeedContext value={uplinkFeed}>
            <RouterProvider router={router} />
          </UplinkFeedContext>
        </PagesProvider>
      </QueryClientProvider>
    </ThemeProvider>,
  );
}
