package shell

/*
#cgo pkg-config: gtk+-3.0
#include <gtk/gtk.h>
#include <string.h>

enum { theme_system, theme_light, theme_dark };

// What the system says, before anybody chose.
static gboolean known, system_dark;
static gchar *system_name;

// On the GTK thread.
static void theme_apply(int chosen) {
	GtkSettings *settings = gtk_settings_get_default();
	if (settings == NULL)
		return;
	if (!known) {
		g_object_get(settings, "gtk-application-prefer-dark-theme", &system_dark, "gtk-theme-name", &system_name, NULL);
		known = TRUE;
	}
	switch (chosen) {
	case theme_dark:
		g_object_set(settings, "gtk-application-prefer-dark-theme", TRUE, NULL);
		break;
	case theme_light:
		g_object_set(settings, "gtk-application-prefer-dark-theme", FALSE, NULL);
		// A theme that is dark by its name stays so whatever is preferred.
		if (system_name != NULL && g_str_has_suffix(system_name, "-dark")) {
			gchar *light = g_strndup(system_name, strlen(system_name) - strlen("-dark"));
			g_object_set(settings, "gtk-theme-name", light, NULL);
			g_free(light);
		}
		break;
	default:
		g_object_set(settings, "gtk-application-prefer-dark-theme", system_dark, NULL);
	}
	if (chosen != theme_light && system_name != NULL)
		g_object_set(settings, "gtk-theme-name", system_name, NULL);
}
*/
import "C"

import "github.com/faustine-ai/countersign/app/gtk"

// SetTheme has everything that GTK draws, the card and the page's own controls
// too, look as chosen: "light", "dark", or anything else for what the system says.
// It takes effect when the main loop runs and may be called before.
func SetTheme(theme string) {
	chosen := C.int(C.theme_system)
	switch theme {
	case "light":
		chosen = C.theme_light
	case "dark":
		chosen = C.theme_dark
	}
	gtk.Post(func() { C.theme_apply(chosen) })
}
