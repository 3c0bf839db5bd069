import { annotationsApi } from '@telltale/domain/dashboards/annotations.ts';
import { dashboardAclApi, dashboardFavoriteApi, dashboardsApi } from '@telltale/domain/dashboards/contract.ts';
import { widgetsApi } from '@telltale/domain/dashboards/widget.ts';
import { bindGrants } from '../access/bind-grants.ts';
import { bindFavorites } from '../favorites/bind-favorites.ts';
import type { Http } from '../platform/http/http.ts';
import {
  createAnnotation,
  listAnnotations,
  listPublicAnnotations,
  listQueryAnnotations,
  removeAnnotation,
  saveAnnotation,
} from './annotations.ts';
import { getDashboard, requireOwner } from './dashboard-access.ts';
import { archiveDashboard, createDashboard, forkDashboard, readDashboard, saveDashboard } from './dashboards.ts';
import { saveLayout } from './layout.ts';
import { listDashboards, listDashboardTags, listFavoriteDashboards, listMyDashboards, listRecentDashboards } from './lists.ts';
import { readPublicDashboard } from './public-dashboards.ts';
import { listShared, shareDashboard, unshareDashboard } from './sharing.ts';
import { createWidget, readWidget, removeWidget, saveWidget } from './widgets.ts';

export function dashboardRoutes(http: Http): void {
  http.on(dashboardsApi.list, (ctx, { query }) => listDashboards(ctx, query));
  http.on(dashboardsApi.my, (ctx, { query }) => listMyDashboards(ctx, query));
  http.on(dashboardsApi.favorites, (ctx, { query }) => listFavoriteDashboards(ctx, query));
  http.on(dashboardsApi.recent, (ctx, { query }) => listRecentDashboards(ctx, query));
  http.on(dashboardsApi.shared, (ctx) => listShared(ctx));
  http.on(dashboardsApi.tags, (ctx) => listDashboardTags(ctx));

  http.on(dashboardsApi.create, (ctx, { body }) => createDashboard(ctx, body));
  http.on(dashboardsApi.get, (ctx, { params, query }) => readDashboard(ctx, params.id, query.legacy !== undefined));
  http.on(dashboardsApi.save, (ctx, { params, body }) => saveDashboard(ctx, params.id, body));
  http.on(dashboardsApi.archive, (ctx, { params }) => archiveDashboard(ctx, params.id));
  http.on(dashboardsApi.fork, (ctx, { params }) => forkDashboard(ctx, params.id));
  http.on(dashboardsApi.layout, (ctx, { params, body }) => saveLayout(ctx, params.id, body));
  http.on(dashboardsApi.share, (ctx, { params, body }) => shareDashboard(ctx, params.id, body));
  http.on(dashboardsApi.unshare, (ctx, { params }) => unshareDashboard(ctx, params.id));
  http.on(dashboardsApi.public, (ctx, { params }) => readPublicDashboard(ctx, params.token));

  http.on(widgetsApi.create, (ctx, { body }) => createWidget(ctx, body));
  http.on(widgetsApi.get, (ctx, { params }) => readWidget(ctx, params.id));
  http.on(widgetsApi.save, (ctx, { params, body }) => saveWidget(ctx, params.id, body));
  http.on(widgetsApi.remove, (ctx, { params }) => removeWidget(ctx, params.id));

  http.on(annotationsApi.list, (ctx, { params, query }) => listAnnotations(ctx, params.id, query));
  http.on(annotationsApi.create, (ctx, { params, body }) => createAnnotation(ctx, params.id, body));
  http.on(annotationsApi.save, (ctx, { params, body }) => saveAnnotation(ctx, params.id, params.annotationId, body));
  http.on(annotationsApi.public, (ctx, { params, query }) => listPublicAnnotations(ctx, params.token, query));
  http.on(annotationsApi.ofQuery, (ctx, { params, query }) => listQueryAnnotations(ctx, params.id, query));
  http.on(annotationsApi.remove, (ctx, { params }) => removeAnnotation(ctx, params.id, params.annotationId));

  bindFavorites(http, dashboardFavoriteApi, 'Dashboard', getDashboard);
  bindGrants(http, dashboardAclApi, 'dashboards', {
    seen: getDashboard,
    async owned(ctx, id) {
      const dashboard = await getDashboard(ctx, id);
      requireOwner(ctx, dashboard, 'share');
      return dashboard;
    },
  });
}
