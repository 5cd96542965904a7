#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan_core.h>

#include "FaultyVulkan.h"

static PFN_vkGetInstanceProcAddr instance_functions;
static PFN_vkGetDeviceProcAddr device_functions;
static char faulty_call[64];
static int fails_from, result, pause;
static atomic_int calls;

/// The result to answer with, or VK_SUCCESS to pass the call on.
static VkResult fault(const char *call) {
  if (strcmp(call, faulty_call) != 0) return VK_SUCCESS;
  return atomic_fetch_add(&calls, 1) + 1 >= fails_from ? (VkResult)result : VK_SUCCESS;
}

static PFN_vkCreateInstance create_instance;
static PFN_vkGetPhysicalDeviceProperties physical_device_properties;
static PFN_vkQueueSubmit queue_submit;
static PFN_vkWaitForFences wait_for_fences;
static PFN_vkAllocateMemory allocate_memory;
static PFN_vkCmdDispatch cmd_dispatch;

static VkResult VKAPI_CALL faulty_create_instance(
    const VkInstanceCreateInfo *info, const VkAllocationCallbacks *allocator, VkInstance *instance) {
  const VkResult answer = fault("CreateInstance");
  return answer != VK_SUCCESS ? answer : create_instance(info, allocator, instance);
}

static VkResult VKAPI_CALL faulty_queue_submit(
    VkQueue queue, uint32_t count, const VkSubmitInfo *infos, VkFence fence) {
  const VkResult answer = fault("QueueSubmit");
  return answer != VK_SUCCESS ? answer : queue_submit(queue, count, infos, fence);
}

static VkResult VKAPI_CALL faulty_wait_for_fences(
    VkDevice device, uint32_t count, const VkFence *fences, VkBool32 all, uint64_t nanoseconds) {
  const VkResult answer = fault("WaitForFences");
  if (answer == VK_SUCCESS && pause) {
    const struct timespec slow = { pause / 1000, pause % 1000 * 1000000L };
    nanosleep(&slow, NULL);
  }
  // As a GPU that hangs: the whole time passes.
  if (answer == VK_TIMEOUT) {
    const struct timespec whole = { (time_t)(nanoseconds / 1000000000), (long)(nanoseconds % 1000000000) };
    nanosleep(&whole, NULL);
  }
  return answer != VK_SUCCESS ? answer : wait_for_fences(device, count, fences, all, nanoseconds);
}

static VkResult VKAPI_CALL faulty_allocate_memory(
    VkDevice device, const VkMemoryAllocateInfo *info, const VkAllocationCallbacks *allocator,
    VkDeviceMemory *memory) {
  const VkResult answer = fault("AllocateMemory");
  return answer != VK_SUCCESS ? answer : allocate_memory(device, info, allocator, memory);
}

/// A device that leaves out the last groups, and says that all is well.
static void VKAPI_CALL faulty_dispatch(VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z) {
  cmd_dispatch(commands, x, fault("CmdDispatch") != VK_SUCCESS && y > 1 ? y - 1 : y, z);
}

/// No fault, but a poor device: the result is the limit.
static void VKAPI_CALL faulty_properties(VkPhysicalDevice device, VkPhysicalDeviceProperties *properties) {
  physical_device_properties(device, properties);
  const VkResult limit = fault("GetPhysicalDeviceProperties");
  if (limit != VK_SUCCESS) properties->limits.maxStorageBufferRange = (uint32_t)limit;
}

static PFN_vkVoidFunction VKAPI_CALL faulty_device_function(VkDevice device, const char *name) {
  const PFN_vkVoidFunction real = device_functions(device, name);
#define REPLACE(NAME, HELD, FAULTY)                                                                                   \
  if (strcmp(name, NAME) == 0) {                                                                                      \
    HELD = (__typeof__(HELD))real;                                                                                    \
    return (PFN_vkVoidFunction)FAULTY;                                                                                \
  }
  REPLACE("vkQueueSubmit", queue_submit, faulty_queue_submit)
  REPLACE("vkWaitForFences", wait_for_fences, faulty_wait_for_fences)
  REPLACE("vkAllocateMemory", allocate_memory, faulty_allocate_memory)
  REPLACE("vkCmdDispatch", cmd_dispatch, faulty_dispatch)
  return real;
}

/// "QueueSubmit.7.-4.so" or "WaitForFences.7.2.30.so", whatever folder it lies in.
static void read_own_name(void) {
  Dl_info info;
  if (!dladdr((void *)read_own_name, &info)) return;
  const char *slash = strrchr(info.dli_fname, '/');
  const char *name = slash ? slash + 1 : info.dli_fname;
  if (sscanf(name, "%63[^.].%d.%d.%d", faulty_call, &fails_from, &result, &pause) < 3) faulty_call[0] = 0;
}

__attribute__((visibility("default"))) PFN_vkVoidFunction VKAPI_CALL
vkGetInstanceProcAddr(VkInstance instance, const char *name) {
  if (!instance_functions) {
    void *library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return NULL;
    read_own_name();
    instance_functions = (PFN_vkGetInstanceProcAddr)dlsym(library, "vkGetInstanceProcAddr");
  }
  const PFN_vkVoidFunction real = instance_functions(instance, name);
  REPLACE("vkCreateInstance", create_instance, faulty_create_instance)
  REPLACE("vkGetPhysicalDeviceProperties", physical_device_properties, faulty_properties)
  REPLACE("vkGetDeviceProcAddr", device_functions, faulty_device_function)
  return real;
}
