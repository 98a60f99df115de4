import { areaRoutes } from "./areas/routes.ts";
import { commentRoutes } from "./comments/routes.ts";
import { iterationRoutes } from "./iterations/routes.ts";
import { projectMetaRoutes } from "./meta/routes.ts";
import { milestoneRoutes } from "./milestones/routes.ts";
import { projectRoutes } from "./projects/routes.ts";
import { sprintRoutes } from "./sprints/routes.ts";
import { workItemRoutes } from "./work-items/routes.ts";

/** All of Projects: one area to its clients. */
export const projectRouters = [
  projectMetaRoutes,
  projectRoutes,
  workItemRoutes,
  commentRoutes,
  iterationRoutes,
  areaRoutes,
  milestoneRoutes,
  sprintRoutes,
] as const;
