import './api/zodSetup.ts';
import '@fontsource-variable/inter';
import '@fontsource-variable/jetbrains-mono';
import 'virtual:theme.css';
import './theme/base.css';
import './layout/boot.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { queryClient } from './api/queryClient.ts';
import { loadSession } from './api/session.ts';
import { finishSignInWindow } from './api/signInWindow.ts';
import { ErrorPanel, NotFoundPanel } from './layout/ErrorPanel.tsx';
import { Frame } from './layout/Frame.tsx';
import { PagesProvider } from './layout/Pages.tsx';
import { PageView } from './layout/PageView.tsx';
import { findPage } from './layout/pageRoute.ts';
import { reloadOnMissingChunk } from './layout/reloadOnMissingChunk.ts';
import { pages } from './routes.tsx';
import { ThemeProvider } from './theme/ThemeProvider.tsx';

const place = document.getElementById('root');
if (!place) throw new Error('index.html has no #root');
const root = createRoot(place);
reloadOnMissingChunk();
void start();

/** The skeleton of index.html stays until there is something to show: who it is, and the code of the page they want. */
async function start(): Promise<void> {
  const code = findPage(pages, location.pathname)?.preload();
  try {
    await loadSession();
  } catch (error) {
    root.render(
      <ThemeProvider>
        <ErrorPanel error={error} onRetry={start} />
      </ThemeProvider>,
    );
    return;
  }
  if (finishSignInWindow()) return;
  await code?.catch(() => {});

  const router = createBrowserRouter([
    {
      element: <Frame />,
      errorElement: <ErrorPanel error={new Error('The page could not be drawn.')} />,
      children: [
        ...pages.map((page) => ({ path: page.path, element: <PageView page={page} /> })),
        { path: '*', element: <NotFoundPanel /> },
      ],
    },
  ]);
  root.render(
    <ThemeProvider>
      <QueryClientProvider client={queryClient}>
        <PagesProvider value={pages}>
          <RouterProvider router={router} />
        </PagesProvider>
      </QueryClientProvider>
    </ThemeProvider>,
  );
}
