#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "cvk_internal.h"

const char *cvk_result_name(int32_t result) {
#define NAME(RESULT) case RESULT: return #RESULT;
  switch (result) {
    NAME(VK_SUCCESS) NAME(VK_NOT_READY) NAME(VK_TIMEOUT) NAME(VK_INCOMPLETE) NAME(VK_ERROR_OUT_OF_HOST_MEMORY)
    NAME(VK_ERROR_OUT_OF_DEVICE_MEMORY) NAME(VK_ERROR_INITIALIZATION_FAILED) NAME(VK_ERROR_DEVICE_LOST)
    NAME(VK_ERROR_MEMORY_MAP_FAILED) NAME(VK_ERROR_LAYER_NOT_PRESENT) NAME(VK_ERROR_EXTENSION_NOT_PRESENT)
    NAME(VK_ERROR_FEATURE_NOT_PRESENT) NAME(VK_ERROR_INCOMPATIBLE_DRIVER) NAME(VK_ERROR_TOO_MANY_OBJECTS)
    NAME(VK_ERROR_FRAGMENTED_POOL) NAME(VK_ERROR_OUT_OF_POOL_MEMORY) NAME(VK_ERROR_UNKNOWN) NAME(CVK_NO_LIBRARY)
    NAME(CVK_TIMEOUT)
    default: return "an unknown VkResult";
  }
#undef NAME
}

const char *cvk_library_error(void) {
  const char *text = dlerror();
  return text ? text : "";
}

static cvk_status open_instance(cvk_loader *loader) {
  const VkApplicationInfo application = {
    .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .pApplicationName = "camrec", .apiVersion = VK_API_VERSION_1_0
  };
  const VkInstanceCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application
  };
  const PFN_vkCreateInstance create = (PFN_vkCreateInstance)loader->GetInstanceProcAddr(NULL, "vkCreateInstance");
  if (!create) return (cvk_status){ CVK_NO_LIBRARY, "vkCreateInstance" };
  const VkResult result = create(&info, NULL, &loader->instance);
  // A loader without a driver.
  if (result == VK_ERROR_INCOMPATIBLE_DRIVER) return cvk_success;
  if (result != VK_SUCCESS) return (cvk_status){ result, "vkCreateInstance" };

#define LOOK_UP(NAME)                                                                                                 \
  loader->NAME = (PFN_vk##NAME)loader->GetInstanceProcAddr(loader->instance, "vk" #NAME);                             \
  if (!loader->NAME) return (cvk_status){ CVK_NO_LIBRARY, "vk" #NAME };
  CVK_INSTANCE_FUNCTIONS(LOOK_UP)
#undef LOOK_UP

  uint32_t count = 0;
  const VkResult counted = loader->EnumeratePhysicalDevices(loader->instance, &count, NULL);
  // Some loaders say only here that there is no driver.
  if (counted == VK_ERROR_INITIALIZATION_FAILED || count == 0) return cvk_success;
  loader->devices = calloc(count, sizeof *loader->devices);
  if (!loader->devices) return (cvk_status){ VK_ERROR_OUT_OF_HOST_MEMORY, "vkEnumeratePhysicalDevices" };
  const VkResult listed = loader->EnumeratePhysicalDevices(loader->instance, &count, loader->devices);
  // VK_INCOMPLETE: one more was plugged in between the two calls.
  if (listed != VK_SUCCESS && listed != VK_INCOMPLETE) return (cvk_status){ listed, "vkEnumeratePhysicalDevices" };
  loader->device_count = count;
  return cvk_success;
}

cvk_status cvk_loader_open(const char *library, cvk_loader **opened) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return (cvk_status){ CVK_NO_LIBRARY, "dlopen" };
  const PFN_vkGetInstanceProcAddr get = (PFN_vkGetInstanceProcAddr)dlsym(handle, "vkGetInstanceProcAddr");
  if (!get) return (cvk_status){ CVK_NO_LIBRARY, "dlsym" };
  cvk_loader *loader = calloc(1, sizeof *loader);
  if (!loader) return (cvk_status){ VK_ERROR_OUT_OF_HOST_MEMORY, "dlopen" };
  loader->GetInstanceProcAddr = get;
  const cvk_status status = open_instance(loader);
  if (status.result == 0) {
    *opened = loader;
    return status;
  }
  if (loader->instance && loader->DestroyInstance) loader->DestroyInstance(loader->instance, NULL);
  free(loader->devices);
  free(loader);
  return status;
}

uint32_t cvk_device_count(const cvk_loader *loader) { return loader->device_count; }

static cvk_kind kind_of(VkPhysicalDeviceType type) {
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU: return CVK_INTEGRATED;
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU: return CVK_DISCRETE;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU: return CVK_VIRTUAL;
    case VK_PHYSICAL_DEVICE_TYPE_CPU: return CVK_CPU;
    default: return CVK_OTHER;
  }
}

void cvk_device(const cvk_loader *loader, uint32_t index, cvk_device_info *info) {
  VkPhysicalDeviceProperties properties;
  VkPhysicalDeviceMemoryProperties memory;
  loader->GetPhysicalDeviceProperties(loader->devices[index], &properties);
  loader->GetPhysicalDeviceMemoryProperties(loader->devices[index], &memory);
  memset(info, 0, sizeof *info);
  memcpy(info->name, properties.deviceName, sizeof info->name - 1);
  info->kind = kind_of(properties.deviceType);
  info->version_major = (uint16_t)VK_API_VERSION_MAJOR(properties.apiVersion);
  info->version_minor = (uint16_t)VK_API_VERSION_MINOR(properties.apiVersion);
  info->vendor = properties.vendorID;
  info->driver = properties.driverVersion;
  info->buffer_limit = properties.limits.maxStorageBufferRange;
  for (uint32_t i = 0; i < memory.memoryHeapCount; i++)
    if (memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) info->memory += memory.memoryHeaps[i].size;
}
