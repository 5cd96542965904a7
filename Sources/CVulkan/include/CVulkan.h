#ifndef CVULKAN_H
#define CVULKAN_H

#include <stddef.h>
#include <stdint.h>

// Runs frames through one compute shader on a Vulkan device. Every symbol begins with cvk_. No Vulkan type appears
// here, so that users need neither Vulkan's headers nor its library. libvulkan is opened at run time.
//
// cvk_baker_open creates everything: buffers, mappings, recorded commands. After that, a frame only takes submissions
// and a wait, and allocates nothing here.

/// A call's result: `result` is 0, a VkResult below 0, or one of the two below; `call` names the call that returned it.
typedef struct cvk_status {
  int32_t result;
  const char *call;
} cvk_status;

enum {
  /// There is no such library, or it is not a Vulkan loader; cvk_library_error() says more.
  CVK_NO_LIBRARY = 1000,
  /// The device did not finish a frame in time.
  CVK_TIMEOUT = 1001,
};

/// The name of a VkResult, "VK_ERROR_DEVICE_LOST"; of static lifetime.
const char *cvk_result_name(int32_t result);

/// The dynamic linker's last error on this thread, or "".
const char *cvk_library_error(void);

// MARK: The library and its devices

/// A loaded library, an instance and its devices. Constant once it is open: any thread. It stays open until the process
/// ends, because closing it would unload drivers whose threads and exit handlers may still have to run.
typedef struct cvk_loader cvk_loader;

typedef enum cvk_kind { CVK_OTHER, CVK_INTEGRATED, CVK_DISCRETE, CVK_VIRTUAL, CVK_CPU } cvk_kind;

typedef struct cvk_device_info {
  char name[256];
  cvk_kind kind;
  uint16_t version_major, version_minor;  ///< of Vulkan
  uint32_t vendor, driver;                ///< the PCI number, and the driver's version in its own coding
  uint64_t memory;                        ///< bytes of the device's own memory
  uint64_t buffer_limit;                  ///< the largest buffer for a shader, in bytes
} cvk_device_info;

/// Opens `library`, a path or a name that the dynamic linker finds. If no driver is installed, there are no devices.
cvk_status cvk_loader_open(const char *library, cvk_loader **loader);
uint32_t cvk_device_count(const cvk_loader *loader);
void cvk_device(const cvk_loader *loader, uint32_t index, cvk_device_info *info);

// MARK: The baker

/// The shader's constants, by their constant_id in Shaders/constants.glsl, and its buffers.
typedef struct cvk_setup {
  uint32_t device;
  const int32_t *constants;
  uint32_t constant_count;
  const void *table, *shaper;  ///< copied; may be empty
  size_t table_bytes, shaper_bytes;
  size_t source_bytes, target_bytes;  ///< of a frame
  uint32_t groups_x, groups_y;
  uint32_t slots;    ///< frames underway at once
  uint32_t targets;  ///< frames that may be underway or lent at once
  /// 1: buffers in the device's own memory, filled and emptied by copies that run in parallel with the shader. 0: the
  /// shader reads and writes the host's memory, for devices that share it.
  uint8_t is_staged;
} cvk_setup;

/// One thread at a time.
typedef struct cvk_baker cvk_baker;

cvk_status cvk_baker_open(const cvk_loader *loader, const cvk_setup *setup, cvk_baker **baker);
/// Waits for frames underway, except after CVK_TIMEOUT: then memory that a hung device may still touch is not freed
/// before the process ends.
void cvk_baker_close(cvk_baker *baker);

/// The memory for a slot's input frame: source_bytes, mapped while the baker is open.
uint8_t *cvk_source(const cvk_baker *baker, uint32_t slot);
/// The memory of a target's baked frame: target_bytes, mapped while the baker is open.
uint8_t *cvk_target(const cvk_baker *baker, uint32_t target);

/// Starts to bake the frame in `slot` into `target`. The slot must not be in use.
cvk_status cvk_submit(cvk_baker *baker, uint32_t slot, uint32_t target);
/// Starts only the shader on the content of `slot`, to measure it without the copies. The slot must not be in use.
cvk_status cvk_submit_shader(cvk_baker *baker, uint32_t slot);
/// Waits for the frame in `slot`. Afterwards its target contains the baked frame, and the slot is free.
cvk_status cvk_wait(cvk_baker *baker, uint32_t slot, uint64_t nanoseconds);

#endif
