/* What from_mujoco() needs of MuJoCo's library, behind functions that ctypes can call without knowing its structs. */
#include <mujoco/mujoco.h>
#include <string.h>

mjModel* standin_model(const char* path, char* error, int size) { return mj_loadXML(path, NULL, error, size); }

int standin_size(const mjModel* m, const mjData* d, const char* name) {
  if (!strcmp(name, "nq")) return m->nq;
  if (!strcmp(name, "nv")) return m->nv;
  if (!strcmp(name, "nM")) return m->nM;
  if (!strcmp(name, "nbody")) return m->nbody;
  if (!strcmp(name, "ngeom")) return m->ngeom;
  if (!strcmp(name, "ncon")) return d->ncon;
  if (!strcmp(name, "nefc")) return d->nefc;
  return -1;
}

mjtNum* standin_numbers(mjData* d, const char* name) {
  if (!strcmp(name, "qpos")) return d->qpos;
  if (!strcmp(name, "qvel")) return d->qvel;
  if (!strcmp(name, "qacc")) return d->qacc;
  if (!strcmp(name, "qacc_smooth")) return d->qacc_smooth;
  if (!strcmp(name, "qM")) return d->qM;
  if (!strcmp(name, "xpos")) return d->xpos;
  if (!strcmp(name, "xmat")) return d->xmat;
  return NULL;
}

int* standin_efc_type(mjData* d) { return d->efc_type; }
int* standin_geom_bodyid(mjModel* m) { return m->geom_bodyid; }

/* dist, pos[3], frame[9], friction[5]; dim, geom1, geom2, exclude. */
void standin_contact(const mjData* d, int i, mjtNum numbers[18], int words[4]) {
  const mjContact* c = d->contact + i;
  numbers[0] = c->dist;
  memcpy(numbers + 1, c->pos, sizeof(c->pos));
  memcpy(numbers + 4, c->frame, sizeof(c->frame));
  memcpy(numbers + 13, c->friction, sizeof(c->friction));
  words[0] = c->dim;
  words[1] = c->geom1;
  words[2] = c->geom2;
  words[3] = c->exclude;
}
