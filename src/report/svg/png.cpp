/// Pictures as PNG, drawn by librsvg. It is opened when a picture is asked for, so that neither the build nor any other
/// command needs it; its library of graphics, cairo, writes the PNG.
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "core/memory.hpp"
#include "core/shared_library.hpp"
#include "gpcv/error.hpp"
#include "gpcv/quantity.hpp"
#include "gpcv/report.hpp"

namespace gpcv {
namespace {

/// RsvgRectangle of librsvg's rsvg-cairo.h.
struct Rectangle {
  double x = 0, y = 0, width = 0, height = 0;
};
/// CAIRO_FORMAT_RGB24 and CAIRO_STATUS_SUCCESS of cairo.h.
enum : int { rgb24 = 1, no_error = 0 };

/// The functions of librsvg, cairo and GObject that are needed. Handles, surfaces and contexts are opaque.
struct Renderer {
  void* (*new_from_data)(const unsigned char*, unsigned long, void**) = nullptr;
  int (*size_in_pixels)(void*, double*, double*) = nullptr;
  int (*render)(void*, void*, const Rectangle*, void**) = nullptr;
  void (*unref)(void*) = nullptr;
  void* (*create_surface)(int, int, int) = nullptr;
  void (*destroy_surface)(void*) = nullptr;
  void* (*create_context)(void*) = nullptr;
  void (*destroy_context)(void*) = nullptr;
  void (*set_colour)(void*, double, double, double) = nullptr;
  void (*paint)(void*) = nullptr;
  int (*write_png)(void*, int (*)(void*, const unsigned char*, unsigned), void*) = nullptr;
};

bool bind_all(const SharedLibrary& library, Renderer& r) {
  return library.bind(r.new_from_data, "rsvg_handle_new_from_data") &&
         library.bind(r.size_in_pixels, "rsvg_handle_get_intrinsic_size_in_pixels") &&
         library.bind(r.render, "rsvg_handle_render_document") && library.bind(r.unref, "g_object_unref") &&
         library.bind(r.create_surface, "cairo_image_surface_create") &&
         library.bind(r.destroy_surface, "cairo_surface_destroy") && library.bind(r.create_context, "cairo_create") &&
         library.bind(r.destroy_context, "cairo_destroy") && library.bind(r.set_colour, "cairo_set_source_rgb") &&
         library.bind(r.paint, "cairo_paint") && library.bind(r.write_png, "cairo_surface_write_to_png_stream");
}

/// Throws NotCompiled without the library, or with one of before version 2.52.
Renderer opened() {
  const SharedLibrary library = SharedLibrary::open({"librsvg-2.so.2"});
  Renderer renderer;
  if (library && bind_all(library, renderer)) return renderer;
  throw NotCompiled(fmt::format(
      "a PNG picture needs librsvg 2.52 or later (the package librsvg2-2 of Debian), and {}; install it, or write SVG",
      library ? "the one that is installed is older" : library.reason()));
}

int append(void* text, const unsigned char* bytes, unsigned count) {
  static_cast<std::string*>(text)->append(reinterpret_cast<const char*>(bytes), count);
  return no_error;
}

/// Memory that librsvg takes for text, fonts and a drawing of some charts, beside the picture itself.
constexpr std::size_t room_to_draw = std::size_t{96} << 20;

/// Throws OutOfMemory unless there is as much memory: librsvg ends the program where it gets none.
void require_room(double size) {
  const std::size_t left = available_memory();
  if (size <= static_cast<double>(left)) return;
  throw OutOfMemory(fmt::format("a PNG picture needs {} to be drawn, {} are left; write SVG instead",
                                bytes(static_cast<std::size_t>(size)), bytes(left)));
}

}  // namespace

void require_png() { opened(); }

std::string png_picture(std::string_view svg) {
  require_room(room_to_draw);
  const Renderer r = opened();
  const std::unique_ptr<void, void (*)(void*)> owner(
      r.new_from_data(reinterpret_cast<const unsigned char*>(svg.data()), svg.size(), nullptr), r.unref);
  void* const picture = owner.get();
  if (picture == nullptr) throw InputError("the text is no SVG picture that librsvg can draw");
  Rectangle all;
  const bool sized = r.size_in_pixels(picture, &all.width, &all.height) != 0;
  constexpr double bytes_per_pixel = 8;  // the surface, and a layer of the same size
  require_room(room_to_draw + bytes_per_pixel * all.width * all.height);
  void* const surface =
      r.create_surface(rgb24, static_cast<int>(std::lround(all.width)), static_cast<int>(std::lround(all.height)));
  void* const context = r.create_context(surface);
  r.set_colour(context, 1, 1, 1);
  r.paint(context);
  std::string png;
  const bool drawn = sized && r.render(picture, context, &all, nullptr) != 0;
  const bool written = drawn && r.write_png(surface, &append, &png) == no_error;
  r.destroy_context(context);
  r.destroy_surface(surface);
  if (!written) throw InputError("librsvg could not draw the picture, which may be too large");
  return png;
}

}  // namespace gpcv
