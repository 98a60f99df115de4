import { areaRoutes } from "./areas/areas.ts";
import { commentRoutes } from "./comments/comments.ts";
import { iterationRoutes } from "./iterations/iterations.ts";
import { projectMetaRoutes } from "./meta/meta.ts";
import { milestoneRoutes } from "./milestones/milestones.ts";
import { projectRoutes } from "./projects/projects.ts";
import { sprintRoutes } from "./sprints/sprints.ts";
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
